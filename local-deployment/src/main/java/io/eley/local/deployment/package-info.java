/**
 * A deployment as processes of one machine: checked, started, waited for, and ended. {@link
 * io.eley.local.deployment.LocalDeployment} is the way in; the processes themselves run in {@link
 * io.eley.local.deployment.Daemon}.
 */
@NullMarked
package io.eley.local.deployment;

import org.jspecify.annotations.NullMarked;
