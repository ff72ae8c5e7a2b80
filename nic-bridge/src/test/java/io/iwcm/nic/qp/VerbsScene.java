package io.iwcm.nic.qp;

import io.iwcm.nic.memory.Access;
import io.iwcm.nic.memory.MemoryRegion;
import io.iwcm.nic.memory.ProtectionDomain;
import io.iwcm.nic.memory.RegionTable;
import io.iwcm.nic.memory.Slices;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.verbs.Completion;
import io.iwcm.nic.verbs.WorkRequest;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A {@link Scene} with memory and posted work, and a peer that speaks ULPDUs and acknowledges what it gets. */
final class VerbsScene {

    final ProtectionDomain domain = new ProtectionDomain("ours");
    final RegionTable regions = new RegionTable(100, new Random(1)::nextLong);
    final List<Completion> completions = new ArrayList<>();
    final WorkQueues work;
    final Scene scene;
    private final FpduWriter peer;
    private final FpduReader fromUs;
    private int peerSent;
    private int ours;
    private int lsmmLeft;

    /** Of a connection whose RTR has arrived, with nothing left to be acknowledged. */
    static VerbsScene ready(Scene.Setup setup) {
        VerbsScene made = new VerbsScene(setup);
        if (!setup.initiator) {
            made.peer("c140 00000001 0000000000000000");
        }
        made.heard();
        made.scene.codes();
        return made;
    }

    VerbsScene(Scene.Setup setup) {
        work = new WorkQueues(new QpId(7), domain, regions, (completion, told) -> {
            if (told) {
                completions.add(completion);
            }
        });
        setup.work = work;
        peer = new FpduWriter(setup.receiveMarkers, setup.crc, 1460);
        fromUs = new FpduReader(setup.sendMarkers, setup.crc);
        lsmmLeft = setup.lsmm.length();
        scene = setup.takeOver();
    }

    MemoryRegion region(int length, long base, Access access) {
        return region(domain, length, base, access);
    }

    MemoryRegion region(ProtectionDomain owner, int length, long base, Access access) {
        return regions.register(owner, MemorySegment.ofArray(new byte[length]), base, access)
                .orElseThrow();
    }

    static Octets content(MemoryRegion region) {
        return Octets.wrap(region.memory().toArray(ValueLayout.JAVA_BYTE));
    }

    static void fill(MemoryRegion region, Octets octets) {
        region.place(0, octets);
    }

    VerbsScene post(WorkRequest request) {
        work.post(request);
        scene.qp.posted(scene.nowNs, scene.recorded);
        return this;
    }

    VerbsScene receive(long id, MemoryRegion region, long at, long length) {
        return post(new WorkRequest.Receive(id, Slices.of(region, at, length)));
    }

    /** The peer sends this ULPDU, and acknowledges everything so far. */
    VerbsScene peer(String ulpdu) {
        return peer(Octets.ofHex(ulpdu));
    }

    VerbsScene peer(Octets ulpdu) {
        return peerRaw(peer.frame(ulpdu));
    }

    /** The peer sends this ULPDU, and has not seen what we sent last. */
    VerbsScene peerUnacknowledged(String ulpdu) {
        Octets octets = peer.frame(Octets.ofHex(ulpdu));
        scene.peerData(peerSent, ours, octets);
        peerSent += octets.length();
        return this;
    }

    VerbsScene peerRaw(Octets octets) {
        absorb();
        scene.peerData(peerSent, ours, octets);
        peerSent += octets.length();
        return this;
    }

    /** The peer has no more to send. */
    VerbsScene fin() {
        absorb();
        scene.peer(peerSent++, ours, Segment.FIN | Segment.ACK, Octets.EMPTY);
        return this;
    }

    /** What was sent since the last call, as DDP segments; all of it is acknowledged. */
    List<DdpSegment> heard() {
        List<DdpSegment> heard = new ArrayList<>(waiting);
        waiting.clear();
        boolean more = true;
        while (more) {
            int before = ours;
            absorb();
            heard.addAll(waiting);
            waiting.clear();
            more = ours != before;
            if (more && !scene.qp.ended()) {
                scene.peerAck(peerSent, ours);
            }
        }
        return heard;
    }

    private final List<DdpSegment> waiting = new ArrayList<>();

    private void absorb() {
        for (Segment segment : scene.recorded.takeSegments()) {
            Octets payload = segment.payload();
            int skip = Math.min(lsmmLeft, payload.length());
            lsmmLeft -= skip;
            ours += payload.length() + (segment.fin() ? 1 : 0);
            fromUs.feed(payload.from(skip));
        }
        for (FpduReader.Found next = fromUs.next(); next instanceof FpduReader.Fpdu(Octets ulpdu); ) {
            waiting.add(DdpSegment.of(ulpdu).orElseThrow());
            next = fromUs.next();
        }
    }

    /** The one Terminate that was sent, its control field first. */
    Octets terminate() {
        List<DdpSegment> all = heard();
        DdpSegment last = all.getLast();
        if (last.opcode() != DdpSegment.TERMINATE) {
            throw new AssertionError("no Terminate but " + last);
        }
        return last.payload();
    }
}
