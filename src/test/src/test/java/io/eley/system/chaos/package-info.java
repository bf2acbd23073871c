@NullMarked
package io.eley.system.chaos;

import org.jspecify.annotations.NullMarked;
