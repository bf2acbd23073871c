/**
 * The list of fuzz targets, their replay as a test, and the driver that fuzzes them. A target
 * stands in the package of the parser that it feeds.
 */
@NullMarked
package io.eley.fuzz;

import org.jspecify.annotations.NullMarked;
