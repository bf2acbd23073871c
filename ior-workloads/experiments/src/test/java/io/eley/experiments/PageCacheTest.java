package io.eley.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageCacheTest {
  @TempDir private Path temp;

  @Test
  void allIsWrittenBeforeItIsDropped() throws Exception {
    Path control = temp.resolve("drop_caches");
    Path written = temp.resolve("written");
    String sync = "test ! -e " + control + " && touch " + written;
    new PageCache(List.of("sh", "-c", sync), control).drop();
    assertThat(written).exists();
    assertThat(control).hasContent("3");
  }

  @Test
  void whoMayNotDropThemIsTold() {
    var cache = new PageCache(List.of("true"), temp.resolve("none/drop_caches"));
    assertThatThrownBy(cache::drop)
        .isInstanceOfSatisfying(
            EleyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACCESS_DENIED))
        .hasMessageStartingWith("cannot drop caches: ");
    assertThat(Files.exists(temp.resolve("none"))).isFalse();
  }
}
