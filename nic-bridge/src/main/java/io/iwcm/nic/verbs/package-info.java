/**
 * Queue pairs as applications in the NIC's process use them: memory is registered, work is posted, completions are polled or
 * waited for. Work goes to the NIC's thread by its bounded queue, and what comes back never makes that thread wait.
 *
 * <p>{@link io.iwcm.nic.verbs.Verbs} is the way in. {@link io.iwcm.nic.verbs.WorkRequest} and
 * {@link io.iwcm.nic.verbs.Completion} are what the machine in {@code nic.qp} knows too.
 */
@org.jspecify.annotations.NullMarked
package io.iwcm.nic.verbs;
