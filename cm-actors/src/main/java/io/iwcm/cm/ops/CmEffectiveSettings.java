package io.iwcm.cm.ops;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigRenderOptions;
import io.iwcm.cm.http.Served;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What applies in the end, for people: every key under {@code iwcm}, with secrets hidden. */
final class CmEffectiveSettings {

    private static final Pattern SECRET = Pattern.compile(".*(^|[.-])(token|password|secret)");
    private static final String HIDDEN = "(hidden)";

    private CmEffectiveSettings() {}

    /** In the order of the alphabet. */
    static List<Served.Setting> of(Config root) {
        return root.withOnlyPath("iwcm").entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> new Served.Setting(
                        entry.getKey(),
                        SECRET.matcher(entry.getKey()).matches()
                                        && !entry.getValue().unwrapped().equals("")
                                ? HIDDEN
                                : entry.getValue().render(ConfigRenderOptions.concise()),
                        entry.getValue().origin().description()))
                .toList();
    }
}
