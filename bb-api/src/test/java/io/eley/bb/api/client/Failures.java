package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a call fails with. */
final class Failures {
  private Failures() {}

  /** The call fails with this code; what it says can be looked at further. */
  static AbstractThrowableAssert<?, ?> failsWith(ErrorCode code, ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(EleyException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
