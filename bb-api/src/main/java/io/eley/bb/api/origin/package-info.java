/** The port to the file system where the data lives, and its JDK-only adapter for mounted ones. */
@NullMarked
package io.eley.bb.api.origin;

import org.jspecify.annotations.NullMarked;
