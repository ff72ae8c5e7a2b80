package io.iwcm.cm.map.sample;

import java.util.List;
import java.util.Optional;

/** A method of each kind. */
public record Sample(String name) {

    /** What there is. */
    enum Kind {
        NONE,
        SOME
    }

    static final Sample EMPTY = new Sample("");

    static int twice(int number) {
        return 2 * number;
    }

    static long twice(long number) {
        return 2 * number;
    }

    static double twice(double number) {
        return 2 * number;
    }

    static boolean isEven(int number) {
        return number % 2 == 0;
    }

    List<Character> letters() {
        return name.chars().mapToObj(letter -> (char) letter).toList();
    }

    Optional<Character> first() {
        return letters().stream().findFirst();
    }

    static Sample longer(int by, Sample sample) {
        return new Sample(sample.name + "x".repeat(by));
    }

    Sample more() {
        return new Sample(name + name);
    }

    static Sample of(long number) {
        return new Sample(Long.toString(number));
    }

    static Kind kind(int number) {
        return number == 0 ? Kind.NONE : Kind.SOME;
    }

    String text() {
        return "'" + name + "'";
    }

    void addTo(StringBuilder text) {
        text.append(name);
    }
}
