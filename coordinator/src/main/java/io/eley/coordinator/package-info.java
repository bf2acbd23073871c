/**
 * The coordinator process: membership, plan, permits and cached metadata of one deployment.
 *
 * <p>One thread, the agent, owns every piece of state but the metadata cache; the network's threads
 * only hand it messages.
 */
@NullMarked
package io.eley.coordinator;

import org.jspecify.annotations.NullMarked;
