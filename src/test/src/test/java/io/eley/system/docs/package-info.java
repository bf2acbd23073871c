/** The shape of the documentation. */
@NullMarked
package io.eley.system.docs;

import org.jspecify.annotations.NullMarked;
