/**
 * What tests of both modules share.
 *
 * <p>A test that needs more than a JDK says so with one of the {@code @Requires…} annotations. Where the thing is
 * missing it is skipped, and the report says what is missing; under {@code -Diwcm.require=all} (as {@code .ci/run}
 * does) it fails instead, so that a test cannot be skipped for months without anybody noticing.
 */
package io.iwcm.nic.testkit;
