package io.eley.bb.api.origin;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.Seed;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that are any bytes, in processes of any locale. */
class FileNamesTest {
  @TempDir private Path root;

  /** A file whose name is these bytes. */
  private Path file(String percent) throws Exception {
    Path file = Path.of(URI.create(root.toUri() + percent));
    return Files.writeString(file, percent);
  }

  @Test
  void aNameThatIsNotUtf8HasATextThatLeadsBackToIt() throws Exception {
    for (String name :
        List.of("plain", "bad%FF%FE", "lat%E4in", "%C3%BC%80", "%EF%9E%80", "%EF%9F%BF")) {
      Path file = file(name);
      String text = FileNames.name(file);
      assertThat(FileNames.resolve(root, "/" + text)).isEqualTo(file);
      assertThat(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
          .as("it travels as UTF-8")
          .isEqualTo(text);
    }
    assertThat(FileNames.name(file("x%FFy"))).isEqualTo("x\uf7ffy");
    assertThat(FileNames.name(file("%C3%BC"))).isEqualTo("\u00fc");
  }

  @Test
  void randomBytesAreNamesThatAreListedAndReadEachUnderATextOfItsOwn() throws Exception {
    var random = Seed.random("the names");
    for (int i = 0; i < 200; i++) {
      var name = new StringBuilder();
      for (int length = 1 + random.nextInt(12); length > 0; length--) {
        int b = 1 + random.nextInt(255);
        name.append(String.format("%%%02X", b == '/' || b == '.' ? 'x' : b));
      }
      file(name.toString());
    }
    try (var origin = MountedOrigin.open(root);
        var entries = Files.list(root)) {
      var listed = origin.list("/");
      assertThat(listed).hasSize((int) entries.count());
      assertThat(new HashSet<>(listed)).hasSameSizeAs(listed);
      for (OriginStatus child : listed) {
        origin.open(child.path()).close();
      }
    }
  }

  @Test
  void aLinkThatLeadsInACircleCostsItselfAndNotTheListing() throws Exception {
    file("a");
    Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));
    Files.createSymbolicLink(root.resolve("nowhere"), Path.of("gone"));
    file("z");
    try (var origin = MountedOrigin.open(root)) {
      assertThat(origin.list("/")).extracting(OriginStatus::path).containsExactly("/a", "/z");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"C", "C.UTF-8"})
  void aProcessOfAnyLocaleListsAndReadsThemAlike(String locale) throws Exception {
    for (String name : List.of("bad%FF", "%C3%BC", "plain")) {
      file(name);
    }
    Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));
    var command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            OddNamesMain.class.getName(),
            root.toString());
    command.environment().put("LC_ALL", locale);
    command.redirectErrorStream(true);
    Process process = command.start();
    var lines = new ArrayList<String>();
    try (var out = process.inputReader()) {
      out.lines().forEach(lines::add);
    }
    assertThat(process.waitFor()).as("%s", lines).isZero();
    assertThat(lines)
        .containsExactly(
            "002f006200610064f7ff bad%FF", "002f0070006c00610069006e plain", "002f00fc %C3%BC");
  }
}
