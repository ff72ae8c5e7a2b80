package io.iwcm.cm.analyze;

import io.iwcm.cm.analyze.Moment.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** What happened in one conversation, each kind of thing once for each side. */
final class Marks {

    private final int max;
    private final List<Mark> all = new ArrayList<>(8);

    Marks(int max) {
        this.max = max;
    }

    /** What happened; {@link Moment} when the roles are known. */
    record Mark(Kind kind, Side by, Stamp first, int times, Stamp last, String words) {
        Mark again(Stamp stamp) {
            return new Mark(kind, by, first, times + 1, stamp, words);
        }
    }

    List<Mark> all() {
        return Collections.unmodifiableList(all);
    }

    Optional<Mark> of(Kind kind, Side by) {
        return all.stream().filter(m -> m.kind() == kind && m.by() == by).findFirst();
    }

    boolean has(Kind kind, Side by) {
        return of(kind, by).isPresent();
    }

    /** The first FIN or RST of either side. */
    Optional<Mark> firstEnd() {
        return all.stream()
                .filter(mark -> mark.kind() == Kind.FIN || mark.kind() == Kind.RST)
                .findFirst();
    }

    void add(Kind kind, Side by, Stamp stamp, String words) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).kind() == kind && all.get(i).by() == by) {
                all.set(i, all.get(i).again(stamp));
                return;
            }
        }
        if (all.size() < max) {
            all.add(new Mark(kind, by, stamp, 1, stamp, words));
        }
    }

    /** A segment with nothing new: where the last thing that its sender said belongs to start-up, it is said again. */
    void repeated(Side side, Stamp stamp) {
        for (int i = all.size() - 1; i >= 0; i--) {
            Mark mark = all.get(i);
            if (mark.by() == side && mark.kind() != Kind.ACK) {
                boolean startUp = switch (mark.kind()) {
                    case REQUEST, REPLY, BAD_FRAME, RTR, TERMINATE -> true;
                    case SYN, SYN_ACK, ACK, OTHER_DATA, FPDU, FIN, RST -> false;
                };
                if (startUp) {
                    all.set(i, mark.again(stamp));
                }
                return;
            }
        }
    }
}
