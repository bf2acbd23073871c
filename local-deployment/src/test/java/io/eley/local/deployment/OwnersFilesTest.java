package io.eley.local.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.bb.api.BlockGeometry;
import io.eley.bb.api.BufferMode;
import io.eley.bb.api.client.ClientOptions;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.client.ConnectionOptions;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.client.PushHandler;
import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.config.DeploymentFiles;
import io.eley.bb.api.config.Settings;
import io.eley.bb.api.edge.OwnPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.process.JavaCommand;
import io.eley.bb.api.wire.Credentials;
import io.eley.bb.api.wire.Identity;
import io.eley.bb.api.wire.Secret;
import io.eley.test.fixtures.LiveTree;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file that the origin lets its owner alone read, once it is in the buffer: another user of the
 * same host finds its bytes in no file of ours and gets them from no process of ours.
 */
@Timeout(120)
@Tag("slow")
class OwnersFilesTest {
  private static final String WORD = "only-for-its-owner";

  @TempDir private Path temp;
  private Path ram;
  private DeploymentFiles files;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(OwnPaths.user() == 0, "only root can become another user");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "no setpriv(1) here");
    open(temp);
    Path origin = open(Files.createDirectory(temp.resolve("origin")));
    ram = open(Files.createDirectory(temp.resolve("ram")));
    files = new DeploymentFiles(temp.resolve("deployment"));
    Path secret = Files.writeString(origin.resolve("secret"), WORD.repeat(1000));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    var plan =
        new DeploymentPlan(
            origin.toString(),
            1,
            DataSize.ofMebibytes(16),
            BufferMode.FULL_DELAY,
            BlockGeometry.DEFAULT,
            ram,
            "127.0.0.1",
            0,
            Map.of("eley.network.handshake-deadline", "60s"));
    LocalDeployment.start(
        files,
        plan,
        Program.ofThisJvm(RealProcesses.class.getName()),
        new Supervision(false, Duration.ofSeconds(60)),
        said -> {});
  }

  @AfterEach
  void stop() throws EleyException {
    if (files != null) {
      LocalDeployment.stop(files, Duration.ofSeconds(10));
    }
  }

  private static Path open(Path directory) throws Exception {
    return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** What nobody's shell prints. */
  private static String asNobody(String script) throws Exception {
    var command =
        new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    command.addAll(List.of("/bin/sh", "-c", script));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return printed;
  }

  private static long count(Path directory) throws Exception {
    long found = 0;
    for (Path file : LiveTree.files(directory)) {
      found += LiveTree.text(file).contains(WORD) ? 1 : 0;
    }
    return found;
  }

  @Test
  void areServedToHimAloneFromFilesRamAndNetwork() throws Exception {
    // With the patience that a busy machine needs, or what is read would not be in RAM.
    var settings =
        Settings.of(
            Map.of(
                "eley.deployment", files.directory().toString(),
                "eley.client.connect-timeout", "20s",
                "eley.client.silence", "10s"));
    InetSocketAddress node;
    try (var client = EleyClient.open(ClientOptions.from(settings));
        var coordinator = LocalDeployment.connect(files)) {
      ByteBuffer bytes;
      try (var file = client.openFile("/secret")) {
        bytes = ByteBuffer.allocate((int) file.status().length()); // all of it, or it stays a part
        file.readFully(0, bytes);
      }
      assertThat(new String(bytes.array(), StandardCharsets.UTF_8)).startsWith(WORD);
      await().until(() -> coordinator.report().nodes().get(0).counters().blocks() == 1);
      assertThat(count(ram)).isPositive();
      var told = coordinator.report().nodes().get(0);
      node = new InetSocketAddress(told.host(), told.port());
    }
    assertThat(asNobody("grep -rl " + WORD + " '" + temp + "'"))
        .doesNotContainPattern("(?m)^" + temp);
    assertThat(asNobody("grep -rc " + WORD + " '" + temp + "'"))
        .contains("ermission denied")
        .doesNotContainPattern(":[1-9]");
    assertThat(asNobody("ls '" + ram + "'/*/blocks; ls '" + files.directory() + "'"))
        .doesNotContainPattern("(?m)^[0-9a-f-]{36}")
        .doesNotContain("coordinator.address");

    var coordinator = ClientOptions.Deployment.in(files.directory()).address();
    for (var server : List.of(node, coordinator)) {
      var options = ConnectionOptions.toCoordinator("stranger", Duration.ofSeconds(10));
      var stranger = new Credentials(Secret.random(), Identity.CLIENT);
      assertThatThrownBy(() -> Connection.open(server, stranger, options, PushHandler.IGNORE))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
    }
    nobodysProcessGetsNothing(coordinator, node);
  }

  /** The same, and every other way that we could think of, by a JVM of the other user's. */
  private void nobodysProcessGetsNothing(InetSocketAddress coordinator, InetSocketAddress node)
      throws Exception {
    var ours = new ArrayList<String>();
    for (Path directory : List.of(ram, files.directory(), temp.resolve("origin"))) {
      LiveTree.files(directory).forEach(file -> ours.add(file.toString()));
    }
    assertThat(ours).anyMatch(f -> f.contains("/blocks/")).anyMatch(f -> f.endsWith("/secret"));
    var arguments =
        new ArrayList<>(
            List.of(
                files.directory().toString(),
                text(coordinator),
                text(node),
                temp.resolve("origin").toString(),
                nobodysDirectory().toString()));
    arguments.addAll(ours);
    var command =
        JavaCommand.ofThisJvm()
            .classPath(List.of(readable().toString(), temp.resolve("classes") + "/*"))
            .run(StrangerMain.class.getName(), arguments);
    String printed = asNobody("'" + String.join("' '", command) + "'");

    var lines = printed.lines().filter(l -> l.contains(": not, ")).toList();
    assertThat(printed).doesNotContain(": got ").doesNotContain(WORD);
    assertThat(lines).hasSize(8 + ours.size());
    assertThat(lines).filteredOn(l -> l.contains("not know this deployment's secret")).hasSize(2);
    assertThat(lines).filteredOn(l -> l.contains("before the handshake is over")).hasSize(2);
    assertThat(lines).filteredOn(l -> l.contains("AccessDenied")).hasSize(ours.size());
  }

  private static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  private Path nobodysDirectory() throws Exception {
    Path own = Files.createDirectory(temp.resolve("nobodys"));
    run("chown", "65534:65534", own.toString());
    run("chmod", "700", own.toString());
    return own;
  }

  /** The client's classes and the stranger's, where nobody can read them. */
  private Path readable() throws Exception {
    Path classes = open(Files.createDirectory(temp.resolve("classes")));
    for (Class<?> type : List.of(EleyClient.class, StrangerMain.class)) {
      Path from = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
      boolean packaged = !Files.isDirectory(from);
      run("cp", "-r", packaged ? from.toString() : from + "/.", classes.toString());
    }
    run("chmod", "-R", "a+rX", classes.toString());
    return classes;
  }

  private static void run(String... command) throws Exception {
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }
}
