package io.eley.bb.api.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eley.bb.api.process.JavaCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Another user's directories, with a real other user: needs root, to become nobody. */
@Timeout(60)
@Tag("slow")
class TwoUsersTest {
  @TempDir private Path temp;
  private Path classes;

  @BeforeEach
  void root() throws Exception {
    assumeTrue(OwnPaths.user() == 0, "only root can become another user");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "no setpriv(1) here");
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    classes = temp.resolve("classes"); // nobody cannot read ours
    run(List.of("cp", "-r", location(OwnPaths.class), classes.toString()));
    run(List.of("cp", "-r", location(TwoUsersTest.class) + "/.", classes.toString()));
    run(List.of("chmod", "-R", "a+rX", classes.toString()));
  }

  private static String location(Class<?> type) {
    return Path.of(
            java.net.URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }

  /** What nobody's process prints. */
  private String asNobody(Path file) throws Exception {
    var command =
        new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    command.addAll(
        JavaCommand.ofThisJvm()
            .classPath(List.of(classes.toString()))
            .run(ReadOwnMain.class.getName(), List.of(file.toString())));
    return run(command);
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed.strip();
  }

  private Path file(String directory, String owner, String mode) throws Exception {
    Path made = Files.createDirectory(temp.resolve(directory));
    Path file = Files.writeString(made.resolve("secret"), "told");
    run(List.of("chmod", mode, file.toString()));
    run(List.of("chown", "-R", owner, made.toString()));
    return file;
  }

  @Test
  void nobodyReadsWhatIsNobodysAndNothingOfRootsOrInRootsDirectory() throws Exception {
    assertThat(asNobody(file("nobodys", "65534:65534", "600"))).isEqualTo("told");
    assertThat(asNobody(file("roots", "0:0", "644")))
        .contains("roots/secret (owner 0, mode 0644) is not a file of this user (65534)");
    assertThat(asNobody(file("open", "65534:65534", "644"))).contains("is open to others");
  }

  @Test
  void rootRefusesWhatNobodyHasMade() throws Exception {
    Path theirs = file("theirs", "65534:65534", "600");
    assertThat(ReadOwnMain.read(theirs))
        .contains("theirs (owner 65534, mode 0755) belongs neither to this user (0) nor to root");
    Path trap = Files.createDirectory(temp.resolve("sticky"));
    run(List.of("chmod", "1777", trap.toString()));
    Path ours = file("ours", "0:0", "600");
    assertThat(ReadOwnMain.read(ours)).isEqualTo("told");
    Path link = Files.createSymbolicLink(trap.resolve("link"), ours.getParent());
    run(List.of("chown", "-h", "65534", link.toString()));
    assertThat(ReadOwnMain.read(link.resolve("secret"))).contains("link (owner 65534");
  }
}
