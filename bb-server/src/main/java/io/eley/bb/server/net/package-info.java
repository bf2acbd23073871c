/**
 * The socket side of a process: frames in, messages to a handler, replies out under back-pressure,
 * files by {@code sendfile}. Knows nothing of blocks or stores, so that nodes and the coordinator
 * share it.
 */
@NullMarked
package io.eley.bb.server.net;

import org.jspecify.annotations.NullMarked;
