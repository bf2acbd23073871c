/** Tests of phase sources. */
package io.eley.hooks.signal;
