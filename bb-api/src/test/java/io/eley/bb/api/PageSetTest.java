package io.eley.bb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageSetTest {
  private static final BlockGeometry GEOMETRY = new BlockGeometry(1 << 20, 1 << 20);
  private static final FileVersion FILE = new FileVersion("/f", (2 << 20) + 5 * 16384 + 7, 1);

  private static PageSet set(int... pages) {
    var bits = new BitSet();
    for (int page : pages) {
      bits.set(page);
    }
    return PageSet.of(bits);
  }

  private static Set<Integer> pages(PageSet set) {
    return set.bits(PageSet.MOST).stream().boxed().collect(Collectors.toSet());
  }

  @Test
  void allContainsEverySetAndIsContainedInItselfAlone() {
    var some = set(0, 7);
    assertThat(PageSet.ALL.containsAll(some)).isTrue();
    assertThat(PageSet.ALL.containsAll(PageSet.ALL)).isTrue();
    assertThat(some.containsAll(PageSet.ALL)).isFalse();
    assertThat(some.union(PageSet.ALL)).isSameAs(PageSet.ALL);
    assertThat(PageSet.ALL.union(some)).isSameAs(PageSet.ALL);
    assertThat(PageSet.ALL.bits(3).cardinality()).isEqualTo(3);
    assertThat(List.of(PageSet.ALL, some)).extracting(PageSet::isAll).containsExactly(true, false);
    assertThat(PageSet.ALL).isNotEqualTo(some).hasToString("all");
    assertThat(some).hasToString("{0, 7}");
  }

  @Test
  void setsOfPagesAreSets() {
    var random = new Random(7);
    for (int i = 0; i < 1000; i++) {
      var a = PageSet.range(random.nextInt(200), 200 + random.nextInt(9)).union(set(300));
      int first = random.nextInt(250);
      var b = PageSet.range(first, first + 1 + random.nextInt(100));
      var both = new HashSet<>(pages(a));
      both.addAll(pages(b));
      assertThat(pages(a.union(b))).isEqualTo(both);
      assertThat(a.containsAll(b)).isEqualTo(pages(a).containsAll(pages(b)));
      assertThat(PageSet.ofWords(a.words())).isEqualTo(a).hasSameHashCodeAs(a);
    }
    assertThat(PageSet.ofWords(PageSet.ALL.words())).isSameAs(PageSet.ALL);
  }

  @Test
  void whatIsGivenOrHandedOutIsNotShared() {
    var bits = new BitSet();
    bits.set(3);
    var set = PageSet.of(bits);
    bits.set(4);
    set.bits(9).set(5);
    assertThat(set).isEqualTo(set(3));
    PageSet.ALL.bits(9).clear();
    assertThat(PageSet.ALL.isAll()).isTrue();
  }

  @Test
  void noPagesAndPagesThatNoBlockHasAreRefused() {
    assertThat(PageSet.range(5, PageSet.MOST).words()).hasSize(PageSet.MOST / 64);
    for (org.assertj.core.api.ThrowableAssert.ThrowingCallable call :
        List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
            () -> PageSet.range(5, 5),
            () -> PageSet.range(5, PageSet.MOST + 1),
            () -> PageSet.ofWords(new long[] {0}),
            () -> PageSet.ofWords(new long[] {1, 0}),
            () -> PageSet.ofWords(new long[PageSet.MOST / 64 + 1]),
            () -> set(0, 9).bits(9))) {
      assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 1, 16384", "0, 3, 5, 32768", "2, 5, 6, 7", "2, 4, 6, 16391", "2, 0, 6, 81927"})
  void aPartIsAsLongAsItsPages(int index, int first, int end, int bytes) {
    var part = new BlockPart(new BlockId(FILE, index), PageSet.range(first, end));
    assertThat(GEOMETRY.length(part)).isEqualTo(bytes);
  }

  @Test
  void aWholeBlockIsAsLongAsTheBlockAndNoPageLiesBehindIt() {
    var last = new BlockId(FILE, 2);
    assertThat(GEOMETRY.length(BlockPart.whole(last))).isEqualTo(GEOMETRY.length(last));
    var behind = new BlockPart(last, PageSet.range(6, 7));
    assertThatThrownBy(() -> GEOMETRY.length(behind)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPartGrowsByPages() {
    var block = new BlockId(FILE, 0);
    var part = new BlockPart(block, PageSet.range(0, 3));
    assertThat(part.with(set(1))).isSameAs(part);
    assertThat(part.with(set(4))).isEqualTo(new BlockPart(block, set(0, 1, 2, 4)));
    assertThat(part.with(PageSet.ALL)).isEqualTo(BlockPart.whole(block));
    assertThat(BlockPart.whole(List.of(block))).containsExactly(BlockPart.whole(block));
  }
}
