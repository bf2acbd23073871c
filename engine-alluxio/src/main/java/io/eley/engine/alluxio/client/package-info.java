/** The only classes that know Alluxio's; {@link io.eley.engine.alluxio.ApartLoader} loads them. */
@NullMarked
package io.eley.engine.alluxio.client;

import org.jspecify.annotations.NullMarked;
