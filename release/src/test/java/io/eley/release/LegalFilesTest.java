package io.eley.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.cyclonedx.Version;
import org.cyclonedx.parsers.JsonParser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LegalFilesTest {
  @TempDir private Path temp;
  private Path lib;
  private Path known;
  private Path list;

  @BeforeEach
  void jars() throws Exception {
    lib = Files.createDirectory(temp.resolve("lib"));
    known = Files.createDirectory(temp.resolve("known"));
    list = temp.resolve("list");
    jar("with-1.0.jar", "META-INF/LICENSE", "META-INF/NOTICE", "a/License.class");
    jar("without-2.1.jar", "a/B.class");
    jar("eley-x-1.jar", "META-INF/LICENSE");
    Files.writeString(known.resolve("MIT.txt"), "mit");
    Files.writeString(
        list,
        """

        g|with|1.0|Apache-2.0|https://e.org
        h|without|2.1|EPL-1.0;MIT|
        i|not-shipped|3|MIT|
        """);
  }

  private void jar(String name, String... entries) throws Exception {
    try (var zip = new ZipOutputStream(Files.newOutputStream(lib.resolve(name)))) {
      for (String entry : entries) {
        zip.putNextEntry(new ZipEntry(entry));
        zip.write(("of " + entry).getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private Path written() throws Exception {
    Path out = temp.resolve("out");
    var parts = ShippedPart.of(list, List.of(lib));
    LegalFiles.write("9", Instant.parse("2026-11-20T00:00:00Z"), parts, known, out);
    return out;
  }

  @Test
  void eachPartIsListedWithItsTexts() throws Exception {
    Path out = written();
    assertThat(Files.readString(out.resolve("THIRD-PARTY")))
        .isEqualTo("with 1.0: Apache-2.0, https://e.org\nwithout 2.1: EPL-1.0 or MIT\n");
    assertThat(out.resolve("licences/with").toFile().list())
        .containsExactlyInAnyOrder("LICENSE", "NOTICE");
    assertThat(out.resolve("licences/without/MIT.txt")).hasContent("mit");
    assertThat(Files.readString(out.resolve("NOTICE")))
        .contains("---- with\n\nof META-INF/NOTICE\n")
        .doesNotContain("---- without");
  }

  @Test
  void theBillOfMaterialsIsValidAndTheSameEachTime() throws Exception {
    Path bill = written().resolve("eley.cdx.json");
    String first = Files.readString(bill);
    assertThat(new JsonParser().validate(bill.toFile(), Version.VERSION_16)).isEmpty();
    var bom = new JsonParser().parse(bill.toFile());
    assertThat(bom.getComponents())
        .extracting(c -> c.getPurl())
        .containsExactly("pkg:maven/g/with@1.0", "pkg:maven/h/without@2.1");
    assertThat(bom.getComponents()).allMatch(c -> c.getHashes().size() == 1);
    written();
    assertThat(bill).hasContent(first);
  }

  @Test
  void aJarThatNobodyHasLookedAtStopsTheBuild() throws Exception {
    jar("unknown-1.jar", "a/B.class");
    assertThatThrownBy(() -> ShippedPart.of(list, List.of(lib)))
        .hasMessageContaining("unknown-1.jar");
    Files.delete(lib.resolve("unknown-1.jar"));
    Files.writeString(list, "g|with|1.0|Some licence|\nh|without|2.1|MIT|\n");
    assertThatThrownBy(() -> ShippedPart.of(list, List.of(lib))).hasMessageContaining("short name");
  }

  @Test
  void aPartWithoutAnyTextStopsTheBuild() throws Exception {
    Files.delete(known.resolve("MIT.txt"));
    assertThatThrownBy(this::written).hasMessageContaining("without-2.1.jar");
  }
}
