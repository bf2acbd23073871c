/**
 * A deployment as processes on this machine: its directory, starting it, waiting for it, ending it.
 */
@NullMarked
package io.eley.local.deployment;

import org.jspecify.annotations.NullMarked;
