package io.iwcm.nic.bridge;

/**
 * How far a dispatcher may fall behind.
 *
 * @param credits ILQ entries it may have unread before SYNs for it are dropped, 1 or more
 * @param most ILQ entries it may have unread before all are dropped, at least {@code credits}
 */
public record IlqLimits(int credits, int most) {

    public static final IlqLimits DEFAULT = new IlqLimits(4096, 65_536);

    public IlqLimits {
        if (credits < 1 || most < credits) {
            throw new IllegalArgumentException("ILQ credits " + credits + " and limit " + most
                    + ": 1 or more, and at least the credits, are allowed");
        }
    }
}
