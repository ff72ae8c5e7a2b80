package io.iwcm.cm.analyze;

import java.util.Locale;

/** Names of constants in output for scripts: lower case, dashes. */
final class Labels {

    private Labels() {}

    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
