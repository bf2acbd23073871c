package io.eley.bb.api.client;

import static io.eley.bb.api.client.Failures.failsWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Secret;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NodeCredentialsTest {
  private final EleyException refused =
      new EleyException(ErrorCode.UNAUTHENTICATED, "another secret");

  private long clock;
  private int reads;
  private boolean unreadable;
  private final NodeCredentials credentials = new NodeCredentials(this::read, () -> clock);

  private Credentials read() throws EleyException {
    reads++;
    if (unreadable) {
      throw refused;
    }
    return new Credentials(Secret.random(), Identity.CLIENT);
  }

  @Test
  void theSecretIsReadOnceWhateverElseFails() throws Exception {
    Credentials first = credentials.get();
    clock += Duration.ofHours(1).toNanos();
    for (ErrorCode other : ErrorCode.values()) {
      if (other != ErrorCode.UNAUTHENTICATED) {
        credentials.noteFailure(first, new EleyException(other, "another cause"));
      }
    }
    assertThat(credentials.get()).isSameAs(first);
    assertThat(reads).isEqualTo(1);
  }

  @Test
  void aNodeThatDoesNotKnowItHasItReadAgainOnceASecondAtMost() throws Exception {
    Credentials first = credentials.get();
    credentials.noteFailure(first, refused);
    assertThat(credentials.get()).as("read this moment").isSameAs(first);
    clock += Duration.ofSeconds(1).toNanos();
    credentials.noteFailure(first, refused);
    Credentials second = credentials.get();
    assertThat(second).isNotEqualTo(first);
    clock += Duration.ofSeconds(1).toNanos();
    credentials.noteFailure(first, refused); // of a handshake that was under way meanwhile
    assertThat(credentials.get()).isSameAs(second);
    assertThat(reads).isEqualTo(2);
  }

  @Test
  void oneThatCannotBeReadIsReadWhenItCan() throws Exception {
    unreadable = true;
    failsWith(ErrorCode.UNAUTHENTICATED, credentials::get);
    unreadable = false;
    assertThat(credentials.get()).isSameAs(credentials.get());
    assertThat(reads).isEqualTo(2);
  }
}
