/** What a buffer would gain on one's own file system, measured with one reader. */
@NullMarked
package io.eley.cli.bench;

import org.jspecify.annotations.NullMarked;
