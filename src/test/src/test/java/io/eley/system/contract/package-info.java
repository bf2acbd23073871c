/** Hadoop's contract of a file system, and the connector's jar. */
@NullMarked
package io.eley.system.contract;

import org.jspecify.annotations.NullMarked;
