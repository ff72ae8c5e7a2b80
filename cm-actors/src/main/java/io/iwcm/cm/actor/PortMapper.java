package io.iwcm.cm.actor;

import io.iwcm.nic.wire.Endpoint;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A service that keeps the ports of RDMA applications and those of the host's TCP apart, as {@code iwpmd} does: an
 * application's endpoint goes on the wire under another port, and who connects asks which.
 *
 * <p>It may be absent, come late or die at any time: then endpoints go on the wire as they are (counter:
 * {@code port_mapper_absences}). Called from any thread; nothing here may block.
 */
public interface PortMapper {

    /** Everything goes on the wire as it is. */
    PortMapper IDENTITY = new PortMapper() {
        @Override
        public CompletionStage<Answer> add(Endpoint local) {
            return CompletableFuture.completedStage(new Answer.Mapped(local));
        }

        @Override
        public CompletionStage<Answer> query(Endpoint remote) {
            return CompletableFuture.completedStage(new Answer.Mapped(remote));
        }

        @Override
        public void remove(Endpoint local) {}
    };

    /** What comes of asking; a stage that fails means that nobody is there. */
    sealed interface Answer {

        /** The endpoint as it goes on the wire. */
        record Mapped(Endpoint wire) implements Answer {}

        /** The endpoint is not to be had: an own one is in use, a peer's is not mapped. */
        record Refused() implements Answer {}
    }

    /**
     * Maps an endpoint of ours until it is removed.
     *
     * @param local what the application listens on or connects from; its address may be unspecified
     */
    CompletionStage<Answer> add(Endpoint local);

    /** How a peer's endpoint goes on the wire. */
    CompletionStage<Answer> query(Endpoint remote);

    /** The mapping of an endpoint is not needed any more. Called once for each add; without a mapping: nothing happens. */
    void remove(Endpoint local);

    /** What a peer that has connected from this endpoint calls it; known already, or the endpoint itself. */
    default Endpoint unmapped(Endpoint wire) {
        return wire;
    }
}
