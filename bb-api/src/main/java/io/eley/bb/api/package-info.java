/**
 * The words of Eley as records: file versions, blocks, ranges, splits, permits, the cluster view.
 * Every part speaks these; nothing here does I/O or starts a thread. Beside them is a map of what
 * was used last, since decisions and loops, which know nothing else, remember by names from
 * outside, too.
 */
@NullMarked
package io.eley.bb.api;

import org.jspecify.annotations.NullMarked;
