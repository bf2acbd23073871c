/**
 * Scratch: intermediate data of Spark applications, in files as Spark's External Shuffle Service
 * reads them, handed out by that service itself. Begin with {@link
 * io.eley.bb.server.scratch.ScratchStore}.
 */
@NullMarked
package io.eley.bb.server.scratch;

import org.jspecify.annotations.NullMarked;
