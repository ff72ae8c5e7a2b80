package io.iwcm.cm.script;

import io.iwcm.cm.mpa.Initiator;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.TimerKey;
import io.iwcm.cm.script.Statement.Call;
import io.iwcm.cm.script.Statement.CallMaker;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Octets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The words after {@code .}: what the application and the surroundings do. */
final class CallText {

    private static final String ALLOWED =
            "listen PORT [backlog N] [cookies], connect .., accept .., reject [pd ..], disconnect, abort,"
                    + " application-gone, address-down, listener-gone, shutdown, stale-tick TIMER";
    private static final int QP_USUAL = 7;
    private static final ReadDepths DEPTHS_USUAL = new ReadDepths(4, 3);

    private CallText() {}

    static Statement parse(Words words) {
        String name = words.next(ALLOWED);
        return switch (name) {
            case "listen" -> listen(words);
            case "connect" -> connect(words);
            case "accept" -> accept(words);
            case "reject" -> {
                Octets data = words.take("pd") ? Data.plain(words) : Octets.EMPTY;
                yield call(words, id -> new CmInput.Reject(id, data));
            }
            case "disconnect" -> call(words, CmInput.Disconnect::new);
            case "abort" -> call(words, CmInput.Abort::new);
            case "application-gone" -> new Statement.Happens(new CmInput.ApplicationGone());
            case "address-down" -> new Statement.Happens(new CmInput.AddressDown());
            case "shutdown" -> new Statement.Happens(new CmInput.Shutdown());
            case "listener-gone" -> new Statement.ListenerGone();
            case "stale-tick" -> new Statement.StaleTick(words.oneOf(TimerKey.values(), Words::kebab));
            default -> throw words.wrong("\"" + name + "\" is no call; allowed: " + ALLOWED);
        };
    }

    private static Statement listen(Words words) {
        int port = words.number("a port", 1, 65_535);
        int backlog = words.take("backlog") ? words.number("places", 0, 1_000_000) : 128;
        return new Statement.Listen(port, backlog, words.take("cookies"));
    }

    private static Statement connect(Words words) {
        int revision = 2;
        QpId qp = new QpId(QP_USUAL);
        ReadDepths depths = DEPTHS_USUAL;
        boolean peerToPeer = false;
        boolean fallBack = false;
        Octets data = Octets.EMPTY;
        String open = "";
        Optional<Duration> within = Optional.empty();
        while (!words.ended()) {
            if (words.take("open")) {
                open = words.oneOf(Map.of("ird", "ird", "ord", "ord", "both", "ird and ord"));
            } else if (words.take("within")) {
                within = Optional.of(Duration.ofNanos(words.durationNs("a time span")));
            } else if (words.take("v1")) {
                revision = 1;
            } else if (words.take("v2")) {
                revision = 2;
            } else if (words.take("p2p")) {
                peerToPeer = true;
            } else if (words.take("fallback")) {
                fallBack = true;
            } else if (words.take("qp")) {
                qp = new QpId(words.number("a QP number", 1, 0xffffff));
            } else if (words.take("pd")) {
                data = Data.plain(words);
            } else if (words.peek().equals("ird")) {
                depths = EventText.depths(words);
            } else {
                throw words.error("v1, v2, qp N, ird N ord N, open ird|ord|both, p2p, pd .., fallback, within TIME");
            }
        }
        Initiator.Wish wish =
                new Initiator.Wish(revision, depths, peerToPeer, data).open(open.contains("ird"), open.contains("ord"));
        return new Statement.Connect(qp, wish, fallBack, within);
    }

    private static Statement accept(Words words) {
        QpId qp = new QpId(QP_USUAL);
        Optional<ReadDepths> depths = Optional.empty();
        Octets data = Octets.EMPTY;
        while (!words.ended() && !words.peek().equals("=")) {
            if (words.take("qp")) {
                qp = new QpId(words.number("a QP number", 1, 0xffffff));
            } else if (words.take("pd")) {
                data = Data.plain(words);
            } else if (words.peek().equals("ird")) {
                depths = Optional.of(EventText.depths(words));
            } else {
                throw words.error("qp N, ird N ord N, pd .., = ANSWER");
            }
        }
        return accept(words, qp, depths, data);
    }

    private static Statement accept(Words words, QpId qp, Optional<ReadDepths> depths, Octets data) {
        return call(words, id -> new CmInput.Accept(id, qp, depths, data));
    }

    /** The rest of a call's line: {@code = CAUSE}, {@code = ok}, {@code = pending}, or nothing, which means ok. */
    private static Call call(Words words, CallMaker make) {
        if (!words.take("=")) {
            return new Call(make, Optional.of(Cause.NONE));
        }
        return words.take("pending")
                ? new Call(make, Optional.empty())
                : new Call(make, Optional.of(EventText.cause(words, false)));
    }
}
