/** Few error types, each of which answers: retry, fall back, or fail. */
@NullMarked
package io.eley.bb.api.error;

import org.jspecify.annotations.NullMarked;
