package io.iwcm.cm.actor;

import io.iwcm.cm.mpa.MpaPolicy;
import io.iwcm.cm.mpa.MpaPolicy.CrcPolicy;
import io.iwcm.cm.mpa.RtrSet;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.cm.proto.CmParams.Compat;
import io.iwcm.cm.proto.CmParams.Deadlines;
import io.iwcm.cm.proto.CmParams.MpaDeadlines;
import io.iwcm.cm.proto.CmParams.TcpParams;
import io.iwcm.cm.proto.IsnSource;
import io.iwcm.nic.spi.ReadDepths;
import java.time.Duration;

/** Parameters of connections under test: the shipped defaults in short. */
public final class TestParams {

    private TestParams() {}

    public static CmParams ordinary(IsnSource isn) {
        return new CmParams(
                new TcpParams(seconds(1), seconds(60), 32, 262_140, 2, 88, 10, seconds(5)),
                new Deadlines(
                        seconds(10),
                        seconds(180),
                        seconds(75),
                        new MpaDeadlines(seconds(30), seconds(60), seconds(60), seconds(15), seconds(15)),
                        seconds(10)),
                new MpaPolicy(
                        new ReadDepths(32, 32), CrcPolicy.REQUIRED, false, RtrSet.WRITE_OR_READ, false, false, true),
                Compat.STRICT,
                isn);
    }

    static long seconds(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }
}
