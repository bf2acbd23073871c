package io.eley.scheduler.hooks.signal;

import io.eley.bb.api.edge.PlainText;

/** A source could not be read. The message is one line for the operator: what, and what to do. */
public final class SignalException extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean absent;

  private SignalException(String message, boolean absent) {
    super(PlainText.escape(message)); // it quotes what other programs print
    this.absent = absent;
  }

  /** A failure that may be gone the next time. */
  public static SignalException failed(String message) {
    return new SignalException(message, false);
  }

  /**
   * A source that does not exist here, which is a normal condition: polling it again soon is of no
   * use.
   */
  public static SignalException absent(String message) {
    return new SignalException(message, true);
  }

  public boolean isAbsent() {
    return absent;
  }
}
