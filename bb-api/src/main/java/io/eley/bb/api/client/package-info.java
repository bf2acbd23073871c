/**
 * The JDK-only client: what a Spark executor, a driver and the command line use to talk to nodes
 * and coordinator.
 */
@NullMarked
package io.eley.bb.api.client;

import org.jspecify.annotations.NullMarked;
