package io.iwcm.cm.http;

import java.util.Optional;

/** A request is not carried out; the problem says why. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;
    private final transient Optional<String> methods;

    Refusal(Problem problem) {
        this(problem, Optional.empty());
    }

    /** @param methods those that are possible, where the request's was not */
    Refusal(Problem problem, Optional<String> methods) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
        this.methods = methods;
    }

    Problem problem() {
        return problem;
    }

    Optional<String> methods() {
        return methods;
    }
}
