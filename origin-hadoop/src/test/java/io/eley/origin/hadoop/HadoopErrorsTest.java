package io.eley.origin.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.error.ErrorCode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.util.stream.Stream;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HadoopErrorsTest {
  static Stream<Arguments> errors() {
    return Stream.of(
        Arguments.of(new InterruptedIOException("Call interrupted"), ErrorCode.INTERRUPTED),
        Arguments.of(new ClosedByInterruptException(), ErrorCode.INTERRUPTED),
        Arguments.of(new SocketTimeoutException("60000 millis"), ErrorCode.ORIGIN_FAILED),
        Arguments.of(new ConnectTimeoutException("20000 millis"), ErrorCode.ORIGIN_FAILED),
        Arguments.of(new FileNotFoundException("/a"), ErrorCode.NOT_FOUND),
        Arguments.of(new IOException("broken pipe"), ErrorCode.ORIGIN_FAILED));
  }

  /** Spark ends a query that is stopped by an interrupt well, and by any other error badly. */
  @ParameterizedTest
  @MethodSource("errors")
  void whoIsInterruptedIsToldSo(IOException error, ErrorCode code) {
    assertThat(HadoopErrors.of("write /a", error).code()).isEqualTo(code);
  }
}
