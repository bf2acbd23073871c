/** Tests of phase sources. */
package io.eley.scheduler.hooks.signal;
