/** Tests of configuration keys and their values. */
@NullMarked
package io.eley.bb.api.config;

import org.jspecify.annotations.NullMarked;
