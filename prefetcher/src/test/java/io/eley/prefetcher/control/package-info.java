/** Tests of operators and permits. */
package io.eley.prefetcher.control;
