package io.eley.report;

import io.eley.bb.api.BufferMode;

/** The colours of pictures, the same as those of the demo's page (Okabe and Ito's palette). */
final class Colours {
  static final String HPC = "#6b7278";
  static final String LEDGER = "#009e73";
  static final String HELD = "#d55e00";
  static final String MAP = "#9cc0e0";
  static final String OURS = "#0072b2";

  private Colours() {}

  static String of(String system) {
    if (system.startsWith(BufferMode.FULL_DELAY.label())) {
      return LEDGER;
    }
    return switch (system) {
      case "NaiveBB" -> "#e69f00";
      case "NoAction" -> OURS;
      default -> HPC;
    };
  }
}
