/**
 * Where frames come from and go to: the in-memory wire, a TAP device, files, and decorators that record or spoil what
 * passes. A link moves octets and knows nothing of their meaning.
 */
package io.iwcm.nic.link;
