package io.eley.system.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.eley.bb.api.config.ConfigKey;
import io.eley.cli.AllKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** No key is forgotten: each is documented, and each is in a test that shows what it reaches. */
class KeysTest {
  private static final Path ROOT = Path.of("..", "..").normalize();

  private static List<JavaField> keyFields() {
    return new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.eley")
            .stream()
            .flatMap(type -> type.getFields().stream())
            .filter(field -> field.getRawType().isEquivalentTo(ConfigKey.class))
            .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
            .toList();
  }

  private static String name(JavaField field) {
    try {
      return ((ConfigKey<?>) field.reflect().get(null)).name();
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field.getFullName() + " is not public", e);
    }
  }

  @Test
  void everyKeyOfAModuleIsAmongAllKeys() {
    assertThat(AllKeys.list().stream().map(ConfigKey::name).collect(Collectors.toList()))
        .containsExactlyInAnyOrderElementsOf(
            keyFields().stream().map(KeysTest::name).collect(Collectors.toList()));
  }

  @Test
  void everyClassOfKeysHasATestThatHasAValueForEach() throws IOException {
    List<String> tests = tests();
    assertThat(keyFields().stream().map(JavaField::getOwner).map(JavaClass::getSimpleName))
        .allMatch(
            owner ->
                tests.stream()
                    .anyMatch(
                        test ->
                            test.contains(owner + ".all()")
                                && test.contains("void everyKeyReaches")));
  }

  private static List<String> tests() throws IOException {
    try (var files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().contains("src/test/java"))
          .filter(file -> file.toString().endsWith("Test.java"))
          .map(KeysTest::read)
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
