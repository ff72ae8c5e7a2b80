/**
 * Memory that peers may reach by STag and tagged offset (RFC 5041 §2.1): regions of memory of this process, the protection
 * domains they belong to, and the one table of a NIC that finds them. Placement copies straight between a frame and the
 * region. Touched by the NIC's thread alone once registered; an application looks at a region's content after the completion
 * that tells of it.
 */
@org.jspecify.annotations.NullMarked
package io.iwcm.nic.memory;
