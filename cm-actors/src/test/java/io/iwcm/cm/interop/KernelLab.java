package io.iwcm.cm.interop;

import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.api.Lab;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.nic.link.Link;
import io.iwcm.nic.link.LinkException;
import io.iwcm.nic.link.PacketLink;
import io.iwcm.nic.link.PacketOptions;
import io.iwcm.nic.link.TapLink;
import io.iwcm.nic.link.TapOptions;
import io.iwcm.nic.link.WireOptions;
import io.iwcm.nic.rnic.RnicConfig;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.testkit.KernelSide;
import io.iwcm.nic.wire.Endpoint;
import java.util.function.UnaryOperator;

/**
 * A connection manager on a TAP whose other side is a Linux kernel alone in a network namespace: we are
 * {@code 198.18.0.2} and {@code fd00::2}, it is {@code .1} and {@code ::1}. Nothing there reaches any other network.
 */
final class KernelLab implements AutoCloseable {

    private static final int MTU = 1500;

    private final KernelSide kernel = new KernelSide();
    private final Lab lab;
    private final Lab.Station station;
    private final KernelPeer peer;
    private String device = "";

    KernelLab() {
        this(UnaryOperator.identity(), UnaryOperator.identity());
    }

    /** One that answers every SYN with a cookie, or as the mode says. */
    KernelLab(RnicConfig.CookieMode mode) {
        this(UnaryOperator.identity(), UnaryOperator.identity(), new RnicConfig.Cookies(mode, 60_000_000_000L, 1_000));
    }

    /**
     * Makes namespace, TAP and peer.
     *
     * @param params changes the parameters of our connections
     * @param around puts something around the TAP, such as a recorder
     */
    KernelLab(UnaryOperator<CmParams> params, UnaryOperator<Link> around) {
        this(params, around, RnicConfig.Cookies.DEFAULT);
    }

    private KernelLab(UnaryOperator<CmParams> params, UnaryOperator<Link> around, RnicConfig.Cookies cookies) {
        this(params, around, cookies, Wiring.TAP);
    }

    private KernelLab(
            UnaryOperator<CmParams> params, UnaryOperator<Link> around, RnicConfig.Cookies cookies, Wiring wiring) {
        lab = new Lab(WireOptions.PLAIN, params).cookies(cookies);
        try {
            Link link = switch (wiring) {
                case TAP -> tap();
                case VETH -> veth();
            };
            station = lab.station(around.apply(link), CmObserver.NONE, "198.18.0.2/30", "fd00::2/64");
            peer = new KernelPeer(kernel);
        } catch (RuntimeException | Error e) {
            lab.close();
            kernel.close();
            throw e;
        }
    }

    /** We are on one end of a virtual cable by a packet socket, and the kernel is on the other. */
    static KernelLab onVeth(UnaryOperator<Link> around) {
        return new KernelLab(UnaryOperator.identity(), around, RnicConfig.Cookies.DEFAULT, Wiring.VETH);
    }

    private enum Wiring {
        TAP,
        VETH
    }

    /** Which IP a test runs over. */
    enum Family {
        V4("198.18.0.2", "198.18.0.1"),
        V6("fd00::2", "fd00::1");

        private final String ours;
        private final String kernels;

        Family(String ours, String kernels) {
            this.ours = ours;
            this.kernels = kernels;
        }

        String ours() {
            return ours;
        }

        String kernels() {
            return kernels;
        }

        Endpoint ours(int port) {
            return new Endpoint(Flows.ip(ours), port);
        }

        Endpoint kernels(String port) {
            return new Endpoint(Flows.ip(kernels), Integer.parseInt(port));
        }
    }

    ConnectionManager cm() {
        return station.cm();
    }

    Lab.Station station() {
        return station;
    }

    /** The TAP's name in the kernel: the scope of link-local addresses there. */
    String device() {
        return device;
    }

    KernelPeer peer() {
        return peer;
    }

    /** The device moves into the namespace while our descriptor stays outside. */
    private Link tap() {
        String name = KernelSide.unique();
        TapLink tap = TapLink.open(TapOptions.named(name).withMtu(MTU).leftDown());
        try {
            give(name);
            return tap;
        } catch (RuntimeException | Error e) {
            closeAfter(tap, e);
            throw e;
        }
    }

    /** The far end goes with the namespace, and ours with it. */
    private Link veth() {
        String near = KernelSide.unique();
        String far = KernelSide.unique();
        KernelSide.run("ip", "link", "add", "name", near, "type", "veth", "peer", "name", far);
        give(far);
        KernelSide.run("ip", "link", "set", "dev", near, "up");
        return PacketLink.open(new PacketOptions(near, Flows.mac(1).bits()));
    }

    private void give(String name) {
        kernel.take(name, "198.18.0.1/30");
        // Without duplicate address detection the address can be used at once.
        kernel.ip("address", "add", "fd00::1/64", "dev", name, "nodad");
        kernel.ip("address", "add", "fe80::1/64", "dev", name, "nodad");
        device = name;
    }

    private static void closeAfter(Link tap, Throwable cause) {
        try {
            tap.close();
        } catch (LinkException e) {
            cause.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        try (KernelSide _ = kernel;
                Lab _ = lab) {
            peer.close();
        }
    }
}
