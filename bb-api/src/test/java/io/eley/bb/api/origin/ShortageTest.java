package io.eley.bb.api.origin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShortageTest {
  private final List<String> said = new ArrayList<>();
  private long now = -50;
  private final Shortage shortage = new Shortage(log(), "there are threads again", () -> now);

  private System.Logger log() {
    return new System.Logger() {
      @Override
      public String getName() {
        return "test";
      }

      @Override
      public boolean isLoggable(Level level) {
        return true;
      }

      @Override
      public void log(Level level, @Nullable ResourceBundle bundle, String line, Throwable thrown) {
        throw new AssertionError("not with a trace", thrown);
      }

      @Override
      public void log(
          Level level, @Nullable ResourceBundle bundle, String line, Object... parameters) {
        said.add(level + " " + line);
      }
    };
  }

  private void pass(long seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void oneThatComesAndGoesIsSaidOnceAndIsOverAfterTenSecondsWithoutARefusal() {
    shortage.noteGiven();
    assertThat(said).as("there was none").isEmpty();
    shortage.noteRefused("no thread");
    pass(3);
    shortage.noteGiven();
    shortage.noteRefused("no thread");
    pass(10);
    shortage.noteGiven();
    assertThat(said).containsExactly("WARNING no thread");
    now++;
    shortage.noteGiven();
    shortage.noteGiven();
    assertThat(said).containsExactly("WARNING no thread", "INFO there are threads again");
  }

  @Test
  void anotherOneIsSaidThoughNobodyHasSeenTheEndOfTheFirst() {
    shortage.noteRefused("no thread");
    pass(10);
    shortage.noteRefused("no thread");
    assertThat(said).hasSize(1);
    pass(11);
    shortage.noteRefused("no thread");
    assertThat(said).hasSize(2);
  }
}
