package io.iwcm.cm.http;

import static io.iwcm.cm.api.Lab.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.proto.StateName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever is asked for again and again, nothing is left of it in the node. */
@Timeout(240)
class ApiLeakTest {

    private static final int TIMES = 100;

    private final ApiNode node = ApiNode.start();

    @AfterEach
    void end() {
        node.close();
    }

    @Test
    void afterManyConnections() {
        long accepts = node.listen(4420, "\"answer\":\"accept\"");
        long rejects = node.listen(4421, "\"answer\":\"reject\"");
        List<String> all = new ArrayList<>();
        for (int i = 0; i < TIMES; i++) {
            all.add(node.connect(4420));
            ApiNode.problem(node.post("/connections?wait=true", ApiNode.to(4421)), 502, "rejected");
            ApiNode.problem(node.post("/connections?wait=true", ApiNode.to(9)), 502, "refused");
        }
        for (int i = 0; i < TIMES; i++) {
            node.awaitState(all.get(i), StateName.OFFLOADED);
            String how = i % 2 == 0 ? "/disconnect" : "/abort";
            assertThat(node.post("/connections/" + all.get(i) + how).statusCode())
                    .isEqualTo(204);
        }
        node.delete("/listeners/" + accepts);
        node.delete("/listeners/" + rejects);

        await("all are over", () -> node.watch.live().findAny().isEmpty());
        assertThat(node.watch.ended())
                .hasSizeLessThanOrEqualTo(
                        HttpSettings.Limits.DEFAULT.histories().ended());
        node.station.awaitNothingHeld();
    }

    @Test
    void afterManyListenersAndRefusals() {
        for (int i = 0; i < TIMES; i++) {
            long id = node.listen(4420, "\"lease\":30");
            ApiNode.problem(node.post("/listeners", "{\"address\":\"10.0.0.1\",\"port\":4420}"), 409, "address in use");
            node.put("/listeners/" + id + "/lease");
            assertThat(node.delete("/listeners/" + id).statusCode()).isEqualTo(204);
        }

        assertThat(node.json("/listeners")).isEmpty();
        node.station.awaitNothingHeld();
    }

    @Test
    void afterManySubscribersOfWhomSomeGoWithoutAWord() {
        node.listen(4420, "");
        for (int i = 0; i < TIMES; i++) {
            try (EventReader events = EventReader.of(node, "/events", Optional.of("0-0"))) {
                if (i % 2 == 0) assertThat(events.next()).isPresent();
            }
            await("it has gone", () -> node.watch.events().waiting() == 0);
        }
        ApiNode.json(node.get("/node"), 200);
        for (int i = 0; i < HttpSettings.Limits.DEFAULT.subscribers(); i++) { // Every place is free again.
            EventReader.of(node, "/events", Optional.empty()).close();
        }
    }
}
