/**
 * Nodes whose blocks are in the workers of an Alluxio cluster. Begin with {@link
 * io.eley.engine.alluxio.AlluxioEngine}; Alluxio's own classes are met in the package {@code
 * client} only, which a class loader of its own loads.
 */
@NullMarked
package io.eley.engine.alluxio;

import org.jspecify.annotations.NullMarked;
