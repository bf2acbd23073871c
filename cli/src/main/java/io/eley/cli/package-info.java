/**
 * The {@code eley} command: one verb for each thing a person does, and the composition of the
 * processes.
 */
@NullMarked
package io.eley.cli;

import org.jspecify.annotations.NullMarked;
