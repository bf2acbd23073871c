@NullMarked
package io.eley.bb.api.edge;

import org.jspecify.annotations.NullMarked;
