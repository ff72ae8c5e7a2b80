package io.iwcm.cm.http;

import io.iwcm.cm.actor.ListenOrder.Tos;
import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.mpa.MpaCodec;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.Octets;
import java.util.Optional;

/** Reads what a connection is to be like. */
final class ConnectRequest {

    private ConnectRequest() {}

    /** @throws Refusal when it is not allowed */
    static ConnectOptions read(Fields fields) {
        Endpoint remote = endpoint(fields.required("remote", fields.object("remote")), 1, Optional.empty());
        Optional<Endpoint> local =
                fields.object("local").map(end -> endpoint(end, 0, Optional.of(unspecified(remote.address()))));
        int revision = fields.integer("revision", 1, 2).orElse(2);
        Optional<Boolean> peerToPeer = fields.flag("peerToPeer");
        boolean fallBack = fields.flag("fallBack").orElse(revision == 2);
        int vlan = fields.integer("vlan", 0, 4094).orElse(0);
        ReadDepths depths = new ReadDepths(
                fields.integer("ird", 0, ReadDepths.MAX).orElse(ReadDepths.MAX),
                fields.integer("ord", 0, ReadDepths.MAX).orElse(ReadDepths.MAX));
        Octets data = fields.octets("privateData", MpaCodec.privateDataMax(revision == 2))
                .orElse(Octets.EMPTY);
        Tos tos = new Tos(
                fields.integer("trafficClass", 0, 255).orElse(0),
                fields.integer("priority", 0, 7).orElse(Tos.FROM_TRAFFIC_CLASS));
        fields.refuseUnknown();
        if (revision == 1 && peerToPeer.orElse(false)) {
            throw fields.notAllowed("peerToPeer", "false, in revision 1,");
        }
        try {
            ConnectOptions asked =
                    ConnectOptions.to(remote).vlan(vlan).depths(depths).tos(tos);
            ConnectOptions from = local.map(asked::from).orElse(asked);
            ConnectOptions inForm = revision == 1
                    ? from.revision1()
                    : (peerToPeer.orElse(true) ? from : from.clientServer()).fallBack(fallBack);
            return inForm.privateData(data);
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(String.valueOf(e.getMessage())).refusal();
        }
    }

    private static IpAddress unspecified(IpAddress like) {
        return IpAddress.parse(like.isV4() ? "0.0.0.0" : "::");
    }

    private static Endpoint endpoint(Fields end, int portLeast, Optional<IpAddress> otherwise) {
        Optional<IpAddress> address = end.address("address").or(() -> otherwise);
        Optional<Integer> port = end.integer("port", portLeast, 65_535);
        Endpoint endpoint = new Endpoint(
                end.required("address", address), portLeast == 0 ? port.orElse(0) : end.required("port", port));
        end.refuseUnknown();
        return endpoint;
    }
}
