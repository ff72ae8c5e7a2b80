package io.iwcm.cm.http;

import java.util.List;

/**
 * What became of a file that was read again.
 *
 * @param done what has been changed, a sentence each; empty when nothing differs
 * @param failed what should have been changed and could not, a sentence each
 * @param restart keys that differ from what holds, and need a restart
 */
public record Reloaded(List<String> done, List<String> failed, List<String> restart) {

    public Reloaded {
        done = List.copyOf(done);
        failed = List.copyOf(failed);
        restart = List.copyOf(restart);
    }
}
