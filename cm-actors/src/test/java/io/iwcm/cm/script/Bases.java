package io.iwcm.cm.script;

import io.iwcm.nic.wire.SeqNum;

/**
 * Where the two sequence spaces begin; scripts count from there.
 *
 * @param our our ISN
 * @param peer the peer's ISN
 */
public record Bases(SeqNum our, SeqNum peer) {

    Bases withOur(SeqNum isn) {
        return new Bases(isn, peer);
    }

    Bases withPeer(SeqNum isn) {
        return new Bases(our, isn);
    }
}
