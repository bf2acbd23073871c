/**
 * The emulated parallel file system: a token process that grants bandwidth out of one shared
 * capacity, and the origin, the IOR target and the client that ask it for leave before they touch
 * the directory behind it. Experiments only; nothing of it is in the product's jars.
 */
@NullMarked
package io.eley.emulated.pfs;

import org.jspecify.annotations.NullMarked;
