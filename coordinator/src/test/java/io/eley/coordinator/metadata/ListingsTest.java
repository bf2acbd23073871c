package io.eley.coordinator.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.wire.Codec;
import io.eley.bb.api.wire.FrameHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListingsTest {
  @ParameterizedTest
  @ValueSource(strings = {"/", "/d", "/d/e"})
  void pagesOfAListingHoldEachChildOnceAndFitIntoAFrame(String directory) {
    String begin = (directory.equals("/") ? "" : directory) + "/" + "€".repeat(200);
    var children =
        IntStream.range(0, 1230)
            .mapToObj(i -> String.format("%s%04d", begin, i))
            .map(p -> new OriginStatus(p, false, 1, 1, 0644, "", ""))
            .toList();
    var seen = new ArrayList<OriginStatus>();
    String after = "";
    boolean more = true;
    int pages = 0;
    while (more) {
      var page = Listings.page(directory, children, after);
      assertThat(Codec.encode(page, 1).remaining()).isLessThan(FrameHeader.MAX_BODY);
      seen.addAll(page.children());
      String last = seen.get(seen.size() - 1).path();
      after = last.substring(last.lastIndexOf('/') + 1);
      more = page.more();
      pages++;
    }
    assertThat(seen).isEqualTo(children);
    assertThat(pages).isEqualTo(4);
  }

  @Test
  void aPageBehindTheLastChildIsEmpty() {
    var page = Listings.page("/d", List.of(), "x");
    assertThat(page.children()).isEmpty();
    assertThat(page.more()).isFalse();
  }
}
