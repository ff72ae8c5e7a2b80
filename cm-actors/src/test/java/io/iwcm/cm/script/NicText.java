package io.iwcm.cm.script;

import io.iwcm.cm.script.FakeNic.Order;
import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.AsyncEvent.Code;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.TermCode;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** The words after {@code nic} and {@code ae}: what the NIC is to do, and what it says. */
final class NicText {

    private static final Map<String, Order> ORDERS =
            Map.of("ah", Order.AH, "quad", Order.QUAD, "qp", Order.QP, "modify-qp", Order.QP);

    private NicText() {}

    static Consumer<FakeNic> parse(Words words) {
        String verb = words.next("hold, release, fail, say");
        Consumer<FakeNic> order = switch (verb) {
            case "hold" -> hold(words.oneOf(ORDERS));
            case "release" -> release(words.oneOf(ORDERS));
            case "fail" -> fail(words);
            case "say" -> say(words);
            default -> throw words.wrong("\"" + verb + "\" does not fit; allowed: hold, release, fail, say");
        };
        words.end();
        return order;
    }

    /** An asynchronous event, by its name without {@code LLP_}. */
    static AsyncEvent asyncEvent(Words words) {
        Code code = words.oneOf(Code.values(), NicText::codeText);
        if (words.take("qp")) {
            words.number("a QP number", 1, 0xffffff);
        }
        Optional<TermCode> terminate = words.ended() ? Optional.empty() : Optional.of(ExpectationText.code(words));
        words.end();
        return new AsyncEvent(code, terminate);
    }

    /** An ICMP error about a segment of ours: what it says, the number it quotes, perhaps the MTU it names. */
    static Function<Bases, NicEvent> icmp(Words words) {
        NicEvent.PathProblem problem = words.oneOf(NicEvent.PathProblem.values(), Words::kebab);
        if (!words.take("seq")) {
            throw words.error("seq N");
        }
        int quoted = words.number("a sequence number, counted from our ISN", Integer.MIN_VALUE, Integer.MAX_VALUE);
        int mtu = words.take("mtu") ? words.number("octets", 0, Integer.MAX_VALUE) : 0;
        words.end();
        return bases -> new NicEvent.PathError(problem, mtu, bases.our().plus(quoted));
    }

    static String codeText(Code code) {
        return Words.kebab(code).replaceFirst("^llp-", "");
    }

    private static Consumer<FakeNic> hold(Order order) {
        return nic -> nic.hold(order);
    }

    private static Consumer<FakeNic> release(Order order) {
        return nic -> nic.release(order);
    }

    private static Consumer<FakeNic> fail(Words words) {
        Order order = words.oneOf(ORDERS);
        Failure why = words.ended() ? usual(order) : failure(words);
        return nic -> nic.fail(order, why);
    }

    private static Failure failure(Words words) {
        return words.oneOf(Failure.values(), Words::kebab);
    }

    private static Failure usual(Order order) {
        return switch (order) {
            case AH -> Failure.NEIGHBOUR_UNREACHABLE;
            case QUAD -> Failure.QUAD_TAKEN;
            case QP -> Failure.DEVICE;
        };
    }

    private static Consumer<FakeNic> say(Words words) {
        String what = words.next("ah-ready, ah-failed, quad-ready, quad-failed, modify-qp-failed, superseded");
        NicEvent event = switch (what) {
            case "ah-ready" -> new NicEvent.AddressHandleReady(1_500);
            case "ah-failed" -> new NicEvent.AddressHandleFailed(failure(words));
            case "quad-ready" -> new NicEvent.SteeringInstalled();
            case "quad-failed" -> new NicEvent.SteeringFailed(failure(words));
            case "modify-qp-failed" -> new NicEvent.ModifyQpFailed(failure(words));
            case "superseded" -> new NicEvent.Superseded();
            default ->
                throw words.wrong("\"" + what + "\" does not fit; allowed: ah-ready, ah-failed WHY, quad-ready,"
                        + " quad-failed WHY, modify-qp-failed WHY, superseded");
        };
        return nic -> nic.say(event);
    }
}
