package io.eley.bb.api.error;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An error of Eley: a code that says what to do, and one line that says what it concerns. */
public class EleyException extends IOException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  public EleyException(ErrorCode code, String message) {
    this(code, message, null);
  }

  public EleyException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public ErrorCode code() {
    return code;
  }

  public Remedy remedy() {
    return code.remedy();
  }
}
