package io.iwcm.cm.proto;

import java.util.ArrayList;
import java.util.List;

/**
 * What a step comes to.
 *
 * @param next the state from here on
 * @param outputs what is to be done, in order
 */
public record Step(CmState next, List<CmOutput> outputs) {

    public Step {
        outputs = List.copyOf(outputs);
    }

    static Step to(CmState next, CmOutput... outputs) {
        return new Step(next, List.of(outputs));
    }

    /** These outputs, then those of {@code later}, whose state it is. */
    Step then(Step later) {
        List<CmOutput> all = new ArrayList<>(outputs);
        all.addAll(later.outputs);
        return new Step(later.next, all);
    }

    /** The same with {@code more} at the end. */
    Step and(CmOutput... more) {
        List<CmOutput> all = new ArrayList<>(outputs);
        all.addAll(List.of(more));
        return new Step(next, all);
    }
}
