package io.eley.emulated.pfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EmulatedPfsMainTest {
  @TempDir private Path temp;

  private Process start(String... arguments) throws Exception {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                EmulatedPfsMain.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(temp.resolve("log").toFile())
        .start();
  }

  @Test
  void runsAsAProcessAndWritesItsTraceWhenItIsToldToEnd() throws Exception {
    Path portFile = temp.resolve("port");
    Path secret = temp.resolve("secret");
    Path trace = temp.resolve("trace.tsv");
    Process process =
        start(
            "--capacity=1g",
            "--latency=100us",
            "--directory=" + temp,
            "--port-file=" + portFile,
            "--secret-file=" + secret,
            "--trace=" + trace);
    try {
      await().atMost(30, TimeUnit.SECONDS).until(() -> Files.exists(portFile));
      int port = Integer.parseInt(Files.readString(portFile).strip());
      var address =
          new PfsAddress(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), port), temp, secret);
      assertThat(Files.getPosixFilePermissions(secret)).hasSize(2);
      try (var client = address.connect("tester")) {
        client.grant(client.newStream(), "HPC", PfsOperation.WRITE, 1234);
      }
      await().until(() -> Files.readString(temp.resolve("log")).contains("emulated://127.0.0.1:"));
    } finally {
      process.destroy();
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readAllLines(trace))
        .hasSize(2)
        .last()
        .asString()
        .endsWith("\ttester\tHPC\tWRITE\t1234");
  }

  @Test
  void badInputIsOneLineAndAnExitCode() throws Exception {
    assertThat(
            EmulatedPfsMain.run(
                "--directory=" + temp.resolve("none"), "--secret-file=" + temp.resolve("s")))
        .isEqualTo(1);
    assertThat(
            EmulatedPfsMain.run(
                "--directory=" + temp, "--secret-file=" + temp.resolve("s"), "--capacity=fast"))
        .isEqualTo(2);
  }
}
