/**
 * Frames, messages and the handshake: what goes over a connection, byte by byte.
 *
 * <p>A frame is a header of {@link FrameHeader#BYTES} bytes, a body (one {@link Message}) and, for
 * {@link BlockMessage.BlockData} alone, a payload of raw bytes that can leave by {@code sendfile}.
 * All numbers are big-endian. Strings are UTF-8 behind a length.
 */
@NullMarked
package io.eley.bb.api.wire;

import org.jspecify.annotations.NullMarked;
