package io.iwcm.cm.script;

import io.iwcm.cm.proto.CmOutput;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicCommand.HandOver;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicCommand.TimeWaitRow;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.wire.Segment;
import java.util.Optional;

/** What the machine puts out, in the language's words. */
final class OutputText {

    private OutputText() {}

    /** The facts of what a script must claim: segments, events, orders to a queue pair, TIME_WAIT. Empty for the rest. */
    static Optional<Facts> claimable(CmOutput output, Bases bases, boolean newIsn) {
        return switch (output) {
            case CmOutput.Notify(var event) -> Optional.of(EventText.facts(event));
            case CmOutput.ToNic(var command) -> claimable(command, bases, newIsn);
            case CmOutput.Arm _, CmOutput.Disarm _, CmOutput.Answer _, CmOutput.Count _ -> Optional.empty();
        };
    }

    /** One line for people: as a script would say it where it can. */
    static String describe(CmOutput output, Bases bases, long nowNs) {
        return switch (output) {
            case CmOutput.Notify(var event) -> "! " + EventText.facts(event);
            case CmOutput.ToNic(NicCommand.Transmit(Segment segment)) ->
                "> " + SegmentText.text(segment, bases, SegmentText.From.US);
            case CmOutput.ToNic(NicCommand.Reinject(Segment segment)) ->
                "! reinject " + SegmentText.text(segment, bases, SegmentText.From.PEER);
            case CmOutput.ToNic(var command) ->
                claimable(command, bases, false).map(facts -> "! " + facts).orElseGet(() -> plain(command));
            case CmOutput.Arm(var key, long atNs, var _) ->
                "arm " + Words.kebab(key) + " +" + Durations.text(atNs - nowNs);
            case CmOutput.Disarm(var key) -> "disarm " + Words.kebab(key);
            case CmOutput.Answer(var _, var cause) -> "answer " + EventText.causeText(cause);
            case CmOutput.Count(var counter) -> "count " + counter.label();
        };
    }

    /** An expectation or an output as a script would write it. */
    static String text(Facts facts) {
        if (!facts.kind().equals("segment")) {
            return "! " + facts;
        }
        StringBuilder out = new StringBuilder("> ").append(facts.values().get("flags"));
        int seq = Integer.parseInt(facts.values().get("seq"));
        String length = facts.values().get("len");
        out.append("  %d:%d(%s)".formatted(seq, seq + Integer.parseInt(length), length));
        facts.values().forEach((name, value) -> {
            boolean said = switch (name) {
                case "flags", "seq", "len" -> true;
                case "isn" -> value.equals("same");
                default -> value.equals("none") || value.equals("absent");
            };
            if (!said) {
                out.append(' ').append(name).append(' ').append(value);
            }
        });
        return out.toString();
    }

    private static Optional<Facts> claimable(NicCommand command, Bases bases, boolean newIsn) {
        return switch (command) {
            case NicCommand.Transmit(Segment segment) ->
                Optional.of(SegmentText.facts(segment, bases, SegmentText.From.US, newIsn));
            case NicCommand.ModifyQp(QpId qp, HandOver handOver) ->
                Optional.of(HandOverText.facts(qp, handOver, bases));
            case NicCommand.TerminateQp(QpId qp, TermCode code) ->
                Optional.of(Facts.of("terminate", "qp", Integer.toString(qp.number()), "code", code.toString()));
            case NicCommand.CloseQp(QpId qp) -> Optional.of(Facts.of("close-qp", "qp", Integer.toString(qp.number())));
            case NicCommand.AbortQp(QpId qp) -> Optional.of(Facts.of("abort-qp", "qp", Integer.toString(qp.number())));
            case NicCommand.Reinject(Segment segment) ->
                Optional.of(new Facts(
                        "reinject",
                        SegmentText.facts(segment, bases, SegmentText.From.PEER, false)
                                .values()));
            case NicCommand.EnterTimeWait(TimeWaitRow row) ->
                Optional.of(Facts.of(
                        "time-wait",
                        "snd",
                        Integer.toString(row.sndNxt().minus(bases.our())),
                        "rcv",
                        Integer.toString(row.rcvNxt().minus(bases.peer()))));
            case NicCommand.CreateAh _,
                    NicCommand.FreeAh _,
                    NicCommand.AddQuadHash _,
                    NicCommand.DeleteQuadHash _,
                    NicCommand.AddApbvt _,
                    NicCommand.DeleteApbvt _,
                    NicCommand.MoveInBacklog _ -> Optional.empty();
        };
    }

    private static String plain(NicCommand command) {
        return switch (command) {
            case NicCommand.AddQuadHash(Optional<ListenKey> listener) ->
                "nic add-quad-hash" + (listener.isPresent() ? " passive" : " active");
            case NicCommand.MoveInBacklog(BacklogPlace to) -> "nic backlog " + Words.kebab(to);
            case NicCommand.CreateAh _ -> "nic create-ah";
            case NicCommand.FreeAh _ -> "nic free-ah";
            case NicCommand.DeleteQuadHash _ -> "nic delete-quad-hash";
            case NicCommand.AddApbvt _ -> "nic add-apbvt";
            case NicCommand.DeleteApbvt _ -> "nic delete-apbvt";
            default -> throw new IllegalStateException("claimable: " + command);
        };
    }
}
