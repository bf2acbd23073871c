/** The arrows between modules. */
@NullMarked
package io.eley.system.architecture;

import org.jspecify.annotations.NullMarked;
