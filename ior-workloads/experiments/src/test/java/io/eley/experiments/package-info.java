@NullMarked
package io.eley.experiments;

import org.jspecify.annotations.NullMarked;
