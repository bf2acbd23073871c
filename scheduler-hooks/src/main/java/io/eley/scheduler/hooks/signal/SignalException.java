package io.eley.scheduler.hooks.signal;

/** A source could not be read. The message is one line for the operator: what, and what to do. */
public final class SignalException extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean absent;

  private SignalException(String message, boolean absent) {
    super(message);
    this.absent = absent;
  }

  /** It may be better the next time. */
  public static SignalException failed(String message) {
    return new SignalException(message, false);
  }

  /** What is to be read is not there at all, a normal condition: asking again soon is no use. */
  public static SignalException absent(String message) {
    return new SignalException(message, true);
  }

  public boolean isAbsent() {
    return absent;
  }
}
