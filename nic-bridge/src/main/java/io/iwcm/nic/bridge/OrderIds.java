package io.iwcm.nic.bridge;

import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicControl.AddAddress;
import io.iwcm.nic.spi.NicControl.Answer;
import io.iwcm.nic.spi.NicControl.Attach;
import io.iwcm.nic.spi.NicControl.CreateQp;
import io.iwcm.nic.spi.NicControl.DestroyQp;
import io.iwcm.nic.spi.NicControl.Detach;
import io.iwcm.nic.spi.NicControl.Done;
import io.iwcm.nic.spi.NicControl.Failed;
import io.iwcm.nic.spi.NicControl.FlowOpened;
import io.iwcm.nic.spi.NicControl.Forward;
import io.iwcm.nic.spi.NicControl.Listen;
import io.iwcm.nic.spi.NicControl.OpenFlow;
import io.iwcm.nic.spi.NicControl.QpCreated;
import io.iwcm.nic.spi.NicControl.RemoveAddress;
import io.iwcm.nic.spi.NicControl.Unlisten;

/** The same order or answer under another id. */
final class OrderIds {

    private OrderIds() {}

    static NicControl withId(NicControl order, long id) {
        return switch (order) {
            case Attach(long _, var owner, var replaces) -> new Attach(id, owner, replaces);
            case Detach(long _, var owner, boolean handsOn) -> new Detach(id, owner, handsOn);
            case Listen(long _, var key, int synBacklog, int backlog, var offer) ->
                new Listen(id, key, synBacklog, backlog, offer);
            case Unlisten(long _, var key) -> new Unlisten(id, key);
            case OpenFlow(long _, var owner, var local, var remote, int vlan) ->
                new OpenFlow(id, owner, local, remote, vlan);
            case CreateQp(long _, var owner) -> new CreateQp(id, owner);
            case DestroyQp(long _, var qp) -> new DestroyQp(id, qp);
            case Forward(long _, var flow, var letter) -> new Forward(id, flow, letter);
            case AddAddress(long _, var address) -> new AddAddress(id, address);
            case RemoveAddress(long _, var address, int vlan) -> new RemoveAddress(id, address, vlan);
        };
    }

    static Answer withId(Answer answer, long id) {
        return switch (answer) {
            case Done _ -> new Done(id);
            case Failed(long _, var why) -> new Failed(id, why);
            case FlowOpened(long _, var flow, boolean inside) -> new FlowOpened(id, flow, inside);
            case QpCreated(long _, var qp) -> new QpCreated(id, qp);
        };
    }
}
