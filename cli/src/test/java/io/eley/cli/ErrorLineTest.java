package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class ErrorLineTest {
  @Test
  void anErrorOfOursIsItsMessage() {
    var error = new EleyException(ErrorCode.UNAVAILABLE, "not there\n  because of this\n");
    assertThat(ErrorLine.describe(error)).isEqualTo("not there\n  because of this");
  }

  @Test
  void aBadValueIsTheFirstLineOfWhatWasSaid() {
    assertThat(ErrorLine.describe(new IllegalArgumentException("no size\nmore")))
        .isEqualTo("no size");
    assertThat(ErrorLine.describe(new IllegalArgumentException())).isEqualTo("unknown error");
  }

  @Test
  void anErrorOfTheSystemSaysItsKind() {
    assertThat(ErrorLine.describe(new NoSuchFileException("/x"))).isEqualTo("/x does not exist");
    assertThat(ErrorLine.describe(new UncheckedIOException(new IOException("disk full"))))
        .isEqualTo("disk full");
  }

  @Test
  void aDefectSaysWhereItIsAndHowToSeeMore() {
    assertThat(ErrorLine.describe(new IllegalStateException("odd")))
        .startsWith("internal error: java.lang.IllegalStateException: odd at io.eley.cli.ErrorLine")
        .endsWith("(ELEY_DEBUG=1 shows the stack trace)");
    var bare = new IllegalStateException("odd");
    bare.setStackTrace(new StackTraceElement[0]);
    assertThat(ErrorLine.describe(bare)).doesNotContain(" at ");
  }
}
