/** Something to disable. */
package io.iwcm.cm.map.sample;
