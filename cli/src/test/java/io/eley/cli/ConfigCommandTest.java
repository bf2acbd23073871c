package io.eley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.ConfigKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigCommandTest {
  private static final Path DOCUMENTATION = Path.of("..", "docs", "configuration.md");

  @Test
  void theDocumentationIsWhatTheCommandPrints() throws Exception {
    assertThat(ConfigCommand.markdown()).isEqualTo(Files.readString(DOCUMENTATION));
  }

  @Test
  void everyKeyIsNamedOnceBeginsWithEleyAndAcceptsItsOwnDefault() {
    List<ConfigKey<?>> keys = AllKeys.list();
    assertThat(keys).hasSizeGreaterThan(35);
    assertThat(keys).extracting(ConfigKey::name).doesNotHaveDuplicates();
    assertThat(keys).allMatch(key -> key.name().startsWith("eley."));
    for (ConfigKey<?> key : keys) {
      assertThat(key.parse(key.defaultText())).as(key.name()).isNotNull();
    }
  }

  @Test
  void everyKeyThatIsNotTextRefusesNonsenseByItsName() {
    AllKeys.list().stream()
        .filter(key -> !key.form().equals("text"))
        .forEach(
            key ->
                assertThatThrownBy(() -> key.parse("nonsense"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(key.name() + "=nonsense"));
  }
}
