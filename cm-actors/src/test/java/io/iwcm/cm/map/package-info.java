/**
 * The map of irdma's functions, {@code docs/irdma-map.md}: that it is whole, and the proof that each of its rows is right,
 * by taking away what the row names.
 */
package io.iwcm.cm.map;
