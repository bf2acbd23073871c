/**
 * Experiments in which a real deployment is treated badly: processes are killed and frozen, blocks
 * damaged, files replaced, the RAM-disk filled, packets dropped, while readers compare every byte
 * and measure how long they stood still. What happens in a run follows from its seed; how the
 * machine's scheduler mixes it does not.
 */
@NullMarked
package io.eley.chaos;

import org.jspecify.annotations.NullMarked;
