@NullMarked
package io.eley.laboratory;

import org.jspecify.annotations.NullMarked;
