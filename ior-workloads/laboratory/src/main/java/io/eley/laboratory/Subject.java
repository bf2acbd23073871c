package io.eley.laboratory;

import io.eley.bb.api.BufferMode;

/**
 * What a run puts beside the HPC application.
 *
 * @param label names it in reports; begins with the mode's where there is a deployment
 * @param mode of the deployment; what runs without one reads directly, as {@code NaiveBB} does
 */
public record Subject(String label, BufferMode mode) {
  /** One of the paper's systems as it is. */
  public static Subject of(BufferMode mode) {
    return new Subject(mode.label(), mode);
  }
}
