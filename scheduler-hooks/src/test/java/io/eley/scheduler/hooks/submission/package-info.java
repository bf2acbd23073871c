/** Tests of the socket by which buffers are submitted. */
@NullMarked
package io.eley.scheduler.hooks.submission;

import org.jspecify.annotations.NullMarked;
