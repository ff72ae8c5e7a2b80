package io.iwcm.cm.script;

/** What a {@code >} or {@code !} line wants; its facts depend on where the sequence spaces begin. */
@FunctionalInterface
interface Expectation {
    Facts in(Bases bases);
}
