package io.eley.emulated.pfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class GrantTraceTest {
  @Test
  void remembersWhatWasRecorded() {
    var trace = new GrantTrace(10);
    trace.record(5, "node", "PREFETCH", PfsOperation.READ, 42);
    assertThat(trace.page(0, 100))
        .isEqualTo(
            new PfsTrace(0, 1, java.util.List.of(new PfsEvent(5, "node", "PREFETCH", "READ", 42))));
  }

  @Test
  void forgetsTheOldestAndSaysSo() {
    var trace = new GrantTrace(3000);
    for (int i = 0; i < 10_000; i++) {
      trace.record(i, "c", "HPC", PfsOperation.WRITE, i);
    }
    var page = trace.page(0, Integer.MAX_VALUE);
    assertThat(page.first()).isEqualTo(7000);
    assertThat(page.recorded()).isEqualTo(10_000);
    assertThat(page.events()).hasSize(3000);
    assertThat(page.events().get(0).bytes()).isEqualTo(7000);
    assertThat(page.events().get(2999).bytes()).isEqualTo(9999);
  }

  @Test
  void aPageStartsWhereOneAsks() {
    var trace = new GrantTrace(100);
    for (int i = 0; i < 50; i++) {
      trace.record(i, "c", "HPC", PfsOperation.WRITE, i);
    }
    assertThat(trace.page(45, 3).events()).extracting(PfsEvent::bytes).containsExactly(45, 46, 47);
    assertThat(trace.page(50, 3)).isEqualTo(new PfsTrace(50, 50, java.util.List.of()));
    assertThat(trace.page(99, 3).events()).isEmpty();
  }

  @Test
  void madeUpLabelsCannotFillTheMemory() {
    var trace = new GrantTrace(2 * GrantTrace.MAX_WORDS);
    for (int i = 0; i < 2 * GrantTrace.MAX_WORDS; i++) {
      trace.record(i, "client-" + i, "HPC", PfsOperation.META, 0);
    }
    var events = trace.page(0, Integer.MAX_VALUE).events();
    assertThat(events.stream().map(PfsEvent::client).distinct().count())
        .isEqualTo(GrantTrace.MAX_WORDS);
    assertThat(events.get(events.size() - 1).client()).isEqualTo("other");
    assertThatIllegalArgumentException().isThrownBy(() -> new GrantTrace(0));
  }
}
