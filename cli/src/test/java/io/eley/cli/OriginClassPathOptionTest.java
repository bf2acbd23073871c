package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What of an origin behind Hadoop's clients is refused before anything starts. */
class OriginClassPathOptionTest {
  @TempDir private Path temp;

  private Eley start(String... words) {
    var all = new java.util.ArrayList<>(java.util.List.of("start", "-d", temp + "/d"));
    all.addAll(java.util.List.of(words));
    Eley run = Eley.run(all.toArray(String[]::new));
    assertThat(temp.resolve("d")).doesNotExist();
    assertThat(run.err().lines()).hasSize(2).last().asString().startsWith("Try ");
    return run;
  }

  @Test
  void aPasswordInAnAddressIsRefusedAndNotRepeated() {
    for (String secret : new String[] {"hidden", "a/hidden", "/hidden"}) {
      Eley run = start("--origin", "s3a://someone:" + secret + "@bucket/data");
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err()).contains("--origin", "takes no password").doesNotContain("hidden");
    }
  }

  @Test
  void aMountHasNoClassPath() {
    Eley run = start("--origin", temp.toString(), "--origin-classpath", "/opt/jars/*");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--origin-classpath", temp.toString());
  }
}
