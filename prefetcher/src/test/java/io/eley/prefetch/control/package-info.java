/** Tests of operators and permits. */
package io.eley.prefetch.control;
