package io.eley.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SitePagesTest {
  @TempDir private Path temp;
  private Path root;
  private Path site;

  @BeforeEach
  void aProject() throws Exception {
    root = Files.createDirectories(temp.resolve("root"));
    site = temp.resolve("site");
    write("README.md", "# Eley\n\n[docs](docs/README.md) [results](results)\n");
    write("docs/README.md", "# Index\n\n[a page](how/page.md#two-words) ![p](p.png)\n");
    write("docs/p.png", "picture");
    write(
        "docs/how/page.md",
        """
        # A & B

        ## Two words
        [up](../README.md), [Eley](../../README.md), [out](../../results/x), [w](https://e.org/a)

        | a | b |
        |---|---|
        | `1` | <script>x</script> |
        """);
    SitePages.write(root, "1.2.3", site);
  }

  private void write(String name, String content) throws Exception {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private String read(String name) throws Exception {
    return Files.readString(site.resolve(name));
  }

  @Test
  void linksLeadToPagesOfTheSiteAndToHeadings() throws Exception {
    assertThat(read("index.html")).contains("href=\"how/page.html#two-words\"", "src=\"p.png\"");
    assertThat(read("how/page.html"))
        .contains("id=\"two-words\"", "href=\"../index.html\"", "href=\"../eley.html\"")
        .contains("href=\"https://e.org/a\"");
    assertThat(read("eley.html")).contains("href=\"index.html\"");
    assertThat(read("p.png")).isEqualTo("picture");
  }

  @Test
  void whatTheSiteDoesNotHaveIsText() throws Exception {
    assertThat(read("how/page.html")).contains(", out, ").doesNotContain("results");
    assertThat(read("eley.html")).contains(" results").doesNotContain("\"results\"");
  }

  @Test
  void markupOfSourcesIsText() throws Exception {
    assertThat(read("how/page.html"))
        .contains("<td>&lt;script&gt;x&lt;/script&gt;</td>", "<td><code>1</code></td>")
        .contains("<title>A &amp; B", "Eley 1.2.3", "default-src 'none'")
        .doesNotContain("<script>", "{{");
  }
}
