package io.eley.bb.api.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaCommandTest {
  private static final JavaCommand PLAIN =
      new JavaCommand(Path.of("/opt/a jdk/bin/java"), List.of(), List.of());

  @TempDir private Path temp;

  @Test
  void optionsComeBeforeTheClassPathAndTheClassInTheirOrder() {
    var command =
        PLAIN
            .heap("64m")
            .serialCollector()
            .property("a.b", "c")
            .classPath(List.of("x.jar"))
            .quickStart()
            .classPath(List.of("lib/*"))
            .run("a.Main", List.of("verb", "-Xmx1g"));

    assertThat(command)
        .containsExactly(
            "/opt/a jdk/bin/java",
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-Da.b=c",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            "x.jar:lib/*",
            "a.Main",
            "verb",
            "-Xmx1g");
  }

  @Test
  void anEmptyClassPathIsNotNamed() {
    assertThat(PLAIN.run("a.Main", List.of())).containsExactly("/opt/a jdk/bin/java", "a.Main");
  }

  @Test
  void wordsAreKeptAsTheyAre() {
    var words = List.of("two words", "", "\"quoted\"", "$HOME", "a\\b", "*");

    var command =
        PLAIN.property("p", "two words").classPath(List.of("/a dir/x.jar")).run("a.Main", words);

    assertThat(command).contains("-Dp=two words", "/a dir/x.jar");
    assertThat(command.subList(command.size() - words.size(), command.size())).isEqualTo(words);
  }

  @Test
  void addingGivesAnotherCommandLine() {
    var base = PLAIN.heap("1m");
    var unused = base.serialCollector().classPath(List.of("x"));

    assertThat(base.options()).containsExactly("-Xmx1m");
    assertThat(base.classPath()).isEmpty();
  }

  /** A program of one file, so that a JVM really takes spaces, no quotes and an empty word. */
  @Test
  void aJvmGetsTheWordsAsTheyWereGiven() throws Exception {
    Path directory = Files.createDirectory(temp.resolve("a directory"));
    Path program = directory.resolve("Echo.java");
    Files.writeString(
        program,
        "public class Echo { public static void main(String[] a) {"
            + " System.out.print(System.getProperty(\"p\") + \"|\" + String.join(\"|\", a)); } }");
    Path out = temp.resolve("out");

    var process =
        new ProcessBuilder(
                JavaCommand.ofThisJvm()
                    .heap("64m")
                    .serialCollector()
                    .quickStart()
                    .property("p", "a \"value\"")
                    .run(program.toString(), List.of("two words", "", "$HOME")))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();

    assertThat(process.waitFor()).as(Files.readString(out, StandardCharsets.UTF_8)).isZero();
    assertThat(Files.readString(out)).isEqualTo("a \"value\"|two words||$HOME");
  }
}
