package io.eley.controller.loop;

/**
 * How far a hold has got.
 *
 * @param nodes that there are
 * @param confirmed nodes that have confirmed that they hold
 * @param held whether prefetching is held for the phase at all; false where permits stay open
 */
public record HoldState(int nodes, int confirmed, boolean held) {}
