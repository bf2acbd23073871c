package io.eley.ior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.DataSize;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RealIorTest {
  @TempDir private Path temp;
  private final StringWriter out = new StringWriter();
  private Path arguments;
  private Path sample;

  @BeforeEach
  void files() throws IOException {
    arguments = temp.resolve("arguments");
    sample = Files.writeString(temp.resolve("sample"), IorSamples.text("write.txt"));
  }

  private void program(String name, String script) throws IOException {
    Path file = Files.writeString(temp.resolve(name), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private IorResult run(int tasks, String... directives) throws IOException {
    var options =
        new IorOptions(
            "/t",
            new IorOptions.Access(true, false, true, true, false),
            new IorOptions.Shape(DataSize.ofMebibytes(1), DataSize.ofMebibytes(100), 1, tasks, 3),
            new IorOptions.Pacing(1, 0, true),
            true,
            2);
    return new RealIor("/nowhere::" + temp)
        .run(options, List.of(directives), new PrintWriter(out, true));
  }

  @Test
  void passesOptionsOnAndReadsTheOutput() throws IOException {
    program("ior", "echo \"$@\" > " + arguments + "\ncat " + sample);
    var result = run(1, "summaryFormat=default");
    assertThat(result.phases()).hasSize(3);
    assertThat(out.toString()).isEqualTo(IorSamples.text("write.txt"));
    assertThat(arguments)
        .hasContent(
            "-a POSIX -o /t -b 100m -t 1m -s 1 -i 3 -d 1 -D 0 -w -F -e -g -k -vv"
                + " -O summaryFormat=default");
  }

  @Test
  void startsSeveralTasksThroughMpirun() throws IOException {
    program("ior", "exit 9");
    program("mpirun", "echo \"$1 $2 $3\" > " + arguments + "\ncat " + sample);
    assertThat(run(4).phases()).hasSize(3);
    assertThat(arguments).hasContent("-n 4 " + temp.resolve("ior"));
  }

  @Test
  void readsTheSummaryWhereItWasSent() throws IOException {
    program("ior", "echo nothing here");
    assertThat(run(1, "summaryFile=" + sample).phases()).hasSize(3);
  }

  @Test
  void saysWhatIsMissing() throws IOException {
    assertThatThrownBy(() -> run(1)).hasMessageContaining("no ior on PATH: install IOR");
    program("ior", "exit 0");
    assertThatThrownBy(() -> run(2)).hasMessageContaining("no mpirun on PATH");
  }

  @Test
  void anotherProgramOfThatNameIsNotedAtOnce() throws IOException {
    program("ior", "echo Usage: ior [-x]");
    assertThatThrownBy(() -> run(1)).hasMessageContaining("not an output of IOR");
    program("ior", "exit 3");
    assertThatThrownBy(() -> run(1)).hasMessageContaining("exit code 3");
  }
}
