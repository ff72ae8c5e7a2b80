package io.iwcm.cm.ops.client;

import io.iwcm.cm.ops.client.ClientFailure.Kind;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Entries that the node gives page by page. */
final class Pages {

    /** What a node gives at a time at most. */
    private static final int PAGE_MAX = 1000;

    private Pages() {}

    /**
     * The first entries, from as many pages as they take.
     *
     * @param query what to ask, as name=value, encoded
     * @param list the name under which a page has its entries
     */
    static List<Object> first(int most, NodeClient node, String path, List<String> query, String list) {
        List<Object> entries = new ArrayList<>();
        Optional<String> after = Optional.empty();
        do {
            List<String> asked = new ArrayList<>(query);
            asked.add("limit=" + Math.min(PAGE_MAX, most - entries.size()));
            after.ifPresent(next -> asked.add("after=" + encoded(next)));
            Doc page = Doc.of(node.get(path + "?" + String.join("&", asked)));
            int before = entries.size();
            if (page.fields().get(list) instanceof List<?> found) entries.addAll(found);
            // A page without entries, or no next page, is the end.
            after = page.has("next") && entries.size() > before ? Optional.of(page.text("next")) : Optional.empty();
        } while (after.isPresent() && entries.size() < most);
        return entries.subList(0, Math.min(most, entries.size()));
    }

    static int checked(int limit) {
        if (limit < 1 || limit > 1_000_000) {
            throw new ClientFailure(Kind.BAD_INPUT, "--limit " + limit + " is out of range: 1..1000000 are allowed");
        }
        return limit;
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
