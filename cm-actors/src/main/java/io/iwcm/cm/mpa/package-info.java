/**
 * MPA start-up: the request and reply frames (RFC 5044 §7.1, RFC 6581 §6) and what two ends agree on with them: IRD and
 * ORD, RTR, CRC, markers, private data. Pure: octets in, verdicts out.
 */
package io.iwcm.cm.mpa;
