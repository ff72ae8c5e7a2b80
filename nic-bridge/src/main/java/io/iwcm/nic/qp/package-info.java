/**
 * The software queue pair: a machine without input or output of its own that takes TCP over at hand-over and owes the
 * peer a correct TCP from then on. Segments, orders and time go in; segments and asynchronous events come out.
 */
package io.iwcm.nic.qp;
