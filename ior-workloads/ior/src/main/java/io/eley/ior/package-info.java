/**
 * The IOR-compatible load: IOR's options, timing and outputs, and one parser for ours and the real
 * one's.
 */
@NullMarked
package io.eley.ior;

import org.jspecify.annotations.NullMarked;
