/** Deployments for experiments, which bring their own settings and end them themselves. */
@NullMarked
package io.eley.cli.deploy;

import org.jspecify.annotations.NullMarked;
