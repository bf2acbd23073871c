/** How a terminal follows a deployment: the stream of documents, and the screen. */
@NullMarked
package io.eley.cli.live;

import org.jspecify.annotations.NullMarked;
