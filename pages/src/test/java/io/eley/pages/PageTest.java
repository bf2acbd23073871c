package io.eley.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {
  @TempDir private Path temp;

  @Test
  void everyPartIsInItsPlaceWithStyleScriptAndCharts() throws Exception {
    String page = sample().render();
    assertThat(page)
        .contains("<h1>1 &lt; 2</h1>", "<main><b>kept</b></main>", "[\"\\u003c/script>\"]")
        .contains("--ink:", ".sample-only", "sample script")
        .doesNotContain("{{style}}", "{{echarts}}", "{{script}}")
        .hasSizeGreaterThan(900_000);
  }

  @Test
  void aPlaceholderInAPartStaysText() throws Exception {
    assertThat(sample().text("title", "{{script}} $1").render()).contains("<h1>{{script}} $1</h1>");
  }

  @Test
  void aPartThatTheTemplateNamesAndNobodyPutIsSaid() {
    assertThatThrownBy(() -> new Page(PageTest.class, "sample").render())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("{{title}}");
  }

  @Test
  void aMissingTemplateIsSaid() {
    assertThatThrownBy(() -> new Page(PageTest.class, "none").render())
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("none.js");
  }

  @Test
  void writingReplacesTheFileAndLeavesNothingElse() throws Exception {
    Path file = Files.writeString(temp.resolve("page.html"), "old");
    sample().write(file);
    assertThat(Files.readString(file)).startsWith("<!DOCTYPE html>").contains("sample script");
    assertThat(temp.toFile().list()).containsExactly("page.html");
  }

  @Test
  void aScriptEndInsideAScriptIsDisarmed() {
    assertThat(Page.scriptSafe("a('</script>','</SCRIPT >','</b>')"))
        .isEqualTo("a('<\\/script>','<\\/SCRIPT >','</b>')");
  }

  private static Page sample() {
    return new Page(PageTest.class, "sample")
        .text("title", "1 < 2")
        .html("body", "<b>kept</b>")
        .json("data", "[\"</script>\"]");
  }
}
