package io.iwcm.cm.ops;

import java.util.concurrent.Callable;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import picocli.CommandLine.Command;

/**
 * {@code iwcm warm-up}: does what every start has in common and ends. The launcher runs it once per build, to record
 * which classes a start needs.
 */
@Command(name = "warm-up", hidden = true, description = "Start an actor system and end it.")
final class WarmUpCommand implements Callable<Integer> {

    @Override
    public Integer call() throws Exception {
        Iwcm.commandLine().getUsageMessage();
        var system = ActorSystem.<String>create(Behaviors.receiveMessage(message -> Behaviors.stopped()), "warm-up");
        system.tell("stop");
        system.getWhenTerminated().toCompletableFuture().get();
        return 0;
    }
}
