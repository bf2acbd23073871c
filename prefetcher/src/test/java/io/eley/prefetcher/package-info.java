/** Tests of the module as a whole. */
@NullMarked
package io.eley.prefetcher;

import org.jspecify.annotations.NullMarked;
