/**
 * Origins behind Hadoop's clients. Compiled against Hadoop, which the user brings: nodes and
 * coordinator load this package in a class loader of its own, Spark beside its own Hadoop.
 */
@NullMarked
package io.eley.origin.hadoop;

import org.jspecify.annotations.NullMarked;
