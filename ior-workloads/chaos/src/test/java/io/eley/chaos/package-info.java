@NullMarked
package io.eley.chaos;

import org.jspecify.annotations.NullMarked;
