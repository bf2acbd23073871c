/**
 * Command lines of child JVMs. Here because what starts processes, a local deployment, the IOR load
 * and the workloads, has no other module in common; Spark's jar leaves this package out.
 */
@NullMarked
package io.eley.bb.api.process;

import org.jspecify.annotations.NullMarked;
