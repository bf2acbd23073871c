/** What sites get. */
@NullMarked
package io.eley.system.archive;

import org.jspecify.annotations.NullMarked;
