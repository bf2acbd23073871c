/**
 * The words of Eley as records: file versions, blocks, ranges, splits, permits, the cluster view.
 * Every part speaks these; nothing here does I/O or starts a thread.
 */
@NullMarked
package io.eley.bb.api;

import org.jspecify.annotations.NullMarked;
