/**
 * Blocks that another engine holds: which to load and to free, under the same permits as our own
 * fetcher, behind a port that the engine's module implements.
 */
@NullMarked
package io.eley.bb.server.engine;

import org.jspecify.annotations.NullMarked;
