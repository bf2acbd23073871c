/** What the build itself runs to fill the archives. Each class is for one thread and blocks. */
@NullMarked
package io.eley.release;

import org.jspecify.annotations.NullMarked;
