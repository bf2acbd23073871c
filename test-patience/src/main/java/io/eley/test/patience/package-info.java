/** How long the tests of all modules wait for a state. */
@NullMarked
package io.eley.test.patience;

import org.jspecify.annotations.NullMarked;
