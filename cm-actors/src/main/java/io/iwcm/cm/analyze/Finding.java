package io.iwcm.cm.analyze;

/**
 * One thing found about a connection.
 *
 * @param why what kind of thing
 * @param weight what it makes of the connection; {@link Verdict#HEALTHY} for a mere note
 * @param sentence what it is, in plain words
 * @param reference the section that has the rule, empty when there is none
 */
public record Finding(Why why, Verdict weight, String sentence, String reference) {

    static Finding of(Why why, String sentence) {
        return new Finding(why, why.weight(), sentence, why.reference());
    }

    Finding weighing(Verdict other) {
        return new Finding(why, other, sentence, reference);
    }

    Finding by(String section) {
        return new Finding(why, weight, sentence, section);
    }
}
