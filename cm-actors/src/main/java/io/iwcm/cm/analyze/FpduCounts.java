package io.iwcm.cm.analyze;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What one side's FPDUs added up to. */
final class FpduCounts {

    static final int FIRST_MAX = 8;

    private final List<Fpdu> first = new ArrayList<>(0);
    private final long[] byOpcode = new long[Fpdu.opcodes()];
    private long count;
    private long right;
    private long wrong;
    private long badMarkers;
    private long implausible;
    private Optional<Fpdu> firstWrong = Optional.empty();
    private Optional<Fpdu> terminate = Optional.empty();

    void add(Fpdu fpdu) {
        if (first.size() < FIRST_MAX) {
            first.add(fpdu);
        }
        count++;
        right += fpdu.crc() == Fpdu.Crc.RIGHT ? 1 : 0;
        wrong += fpdu.crc() == Fpdu.Crc.WRONG ? 1 : 0;
        badMarkers += fpdu.markersRight() ? 0 : 1;
        implausible += fpdu.plausible() ? 0 : 1;
        if (fpdu.opcode() >= 0) {
            byOpcode[fpdu.opcode()]++;
        }
        boolean sound = fpdu.crc() != Fpdu.Crc.WRONG && fpdu.markersRight() && fpdu.plausible();
        if (!sound && firstWrong.isEmpty()) {
            firstWrong = Optional.of(fpdu);
        }
        if (sound && fpdu.opcode() == Fpdu.TERMINATE && terminate.isEmpty()) {
            terminate = Optional.of(fpdu);
        }
    }

    List<Fpdu> first() {
        return first;
    }

    long count() {
        return count;
    }

    long right() {
        return right;
    }

    long wrong() {
        return wrong;
    }

    long badMarkers() {
        return badMarkers;
    }

    /** FPDUs without a DDP and RDMAP header. */
    long implausible() {
        return implausible;
    }

    long of(int opcode) {
        return byOpcode[opcode];
    }

    /** The first one with a wrong CRC, marker or header. */
    Optional<Fpdu> firstWrong() {
        return firstWrong;
    }

    Optional<Fpdu> terminate() {
        return terminate;
    }
}
