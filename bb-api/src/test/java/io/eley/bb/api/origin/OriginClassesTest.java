package io.eley.bb.api.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An adapter with a class path of its own. */
class OriginClassesTest {
  /** Says what it sees of the process: this test's class, of which it must see nothing. */
  private static final String ADAPTER =
      """
      package elsewhere;
      public class Adapter implements io.eley.bb.api.origin.OriginProvider {
        public String scheme() { return "elsewhere"; }
        public io.eley.bb.api.origin.Origin open(java.net.URI address, String client)
            throws io.eley.bb.api.error.EleyException {
          String seen = "";
          for (String name : new String[] {"org.junit.jupiter.api.Test", "java.sql.Date"}) {
            try {
              seen += Class.forName(name).getSimpleName() + " ";
            } catch (ClassNotFoundException e) {
              seen += "none ";
            }
          }
          throw new io.eley.bb.api.error.EleyException(
              io.eley.bb.api.error.ErrorCode.ACCESS_DENIED, seen + address + " for " + client);
        }
      }
      """;

  @TempDir private Path temp;
  private Path classes;

  @BeforeEach
  void compile() throws Exception {
    classes = Files.createDirectory(temp.resolve("classes"));
    Path source = temp.resolve("Adapter.java");
    Files.writeString(source, ADAPTER);
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      assertThat(
              compiler
                  .getTask(
                      null,
                      files,
                      null,
                      List.of("-d", classes.toString(), "-proc:none"),
                      null,
                      files.getJavaFileObjects(source))
                  .call())
          .isTrue();
    }
    Path services = Files.createDirectories(classes.resolve("META-INF/services"));
    Files.writeString(services.resolve(OriginProvider.class.getName()), "elsewhere.Adapter\n");
  }

  @Test
  void anAdapterSeesTheApiAndNothingElseOfTheProcess() {
    assertThatThrownBy(() -> Origins.open("elsewhere://h/p", "node", classes.toString()))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED))
        .hasMessage("none Date elsewhere://h/p for node");
    assertThat(Origins.onOwnClassPath("elsewhere://h/p")).isFalse();
    assertThat(Origins.onOwnClassPath("refusing://h/p")).isTrue();
    assertThat(Origins.onOwnClassPath("/mnt/pfs")).isTrue();
  }

  @Test
  void anAdapterThatLacksAClassIsToldInOneLine() throws Exception {
    Files.writeString(
        classes.resolve("META-INF/services/" + OriginProvider.class.getName()), "elsewhere.None\n");
    assertThatThrownBy(() -> Origins.open("elsewhere://h/p", "node", classes.toString()))
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
        .hasMessageContaining("elsewhere.None")
        .hasMessageNotContaining("\n");
  }

  @Test
  void aPlaceThatIsNotThereIsNamed() {
    for (String missing : new String[] {"/no/such.jar", "/no/such/*"}) {
      assertThatThrownBy(() -> Origins.open("elsewhere://h/p", "node", missing))
          .isInstanceOfSatisfying(
              EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
          .hasMessageContaining("/no/such");
    }
  }

  @Test
  void anAddressWithAPasswordIsNotRepeated() {
    assertThatThrownBy(() -> Origins.open("elsewhere://me:hidden@h/p", "node", classes + ""))
        .isInstanceOf(EleyException.class)
        .hasMessageNotContaining("hidden");
  }
}
