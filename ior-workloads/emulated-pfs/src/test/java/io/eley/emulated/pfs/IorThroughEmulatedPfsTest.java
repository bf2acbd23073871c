package io.eley.emulated.pfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.wire.Secret;
import io.eley.ior.IorCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IorThroughEmulatedPfsTest {
  @TempDir private Path temp;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @ValueSource(strings = {"", "--processes"})
  void trafficIsPaidForByteByByte(String kind) throws Exception {
    Path file = temp.resolve("f");
    Path secretFile = temp.resolve("secret");
    var secret = Secret.create(secretFile);
    try (var pfs = EmulatedPfs.start(EmulatedPfsOptions.of(1L << 40, Duration.ZERO, secret))) {
      String address = new PfsAddress(pfs.address(), file, secretFile).toString();
      assertThat(ior(("-q -F -N 2 -b 3m -t 1536k " + kind).strip(), address)).isZero();
      for (String operation : List.of("WRITE", "READ")) {
        var events =
            pfs.trace().events().stream().filter(e -> e.operation().equals(operation)).toList();
        assertThat(events.stream().mapToLong(PfsEvent::bytes).sum()).isEqualTo(6 << 20);
        assertThat(events).extracting(PfsEvent::client, PfsEvent::cause).hasSize(8);
        assertThat(events).allMatch(e -> e.client().equals("ior") && e.cause().equals("HPC"));
      }
    }
    assertThat(temp.toFile().list()).containsExactly("secret");
  }

  @Test
  void anAddressOfAnotherFormIsOneLine() {
    assertThat(ior("-w", "emulated://x")).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).startsWith("ior: not the address of an emulated PFS");
  }

  private int ior(String arguments, String file) {
    var all = new ArrayList<>(List.of(arguments.split(" ")));
    all.addAll(List.of("-o", file));
    return IorCommand.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }
}
