package io.eley.bb.api;

import java.util.BitSet;

/**
 * Pages of one block, at least one; a page is {@link BlockGeometry#pageSize()} bytes. Immutable, so
 * safe for several threads.
 *
 * <p>{@link #ALL} stands for every page of any block. It is one object, so that plans of whole
 * blocks take no memory for their pages.
 */
public final class PageSet {
  /** The most pages that a block of any geometry has: 1 GiB in pages of 4 KiB. */
  public static final int MOST = 1 << 18;

  public static final PageSet ALL = new PageSet(new BitSet(0));

  /** Empty for {@link #ALL} alone. Never changed. */
  private final BitSet pages;

  private PageSet(BitSet pages) {
    this.pages = pages;
  }

  /**
   * The pages whose bits are set.
   *
   * @param pages is copied
   */
  public static PageSet of(BitSet pages) {
    if (pages.isEmpty() || pages.length() > MOST) {
      throw new IllegalArgumentException("no pages, or one behind any block: " + pages.length());
    }
    return new PageSet((BitSet) pages.clone());
  }

  /** The pages from the first to the one before {@code end}. */
  public static PageSet range(int first, int end) {
    var pages = new BitSet(end);
    pages.set(first, end);
    return of(pages);
  }

  /**
   * The pages of {@link #words()}.
   *
   * @throws IllegalArgumentException when it is no set's only form, or one of more than {@link
   *     #MOST} pages
   */
  public static PageSet ofWords(long[] words) {
    if (words.length == 0) {
      return ALL;
    }
    if (words[words.length - 1] == 0) {
      throw new IllegalArgumentException("a set of pages ends with an empty word");
    }
    return of(BitSet.valueOf(words));
  }

  /** The pages as bits, the first page's the lowest; none for {@link #ALL}. */
  public long[] words() {
    return pages.toLongArray();
  }

  /** Index behind the last page; zero for {@link #ALL}. */
  public int end() {
    return pages.length();
  }

  public boolean isAll() {
    return pages.isEmpty();
  }

  /** Whether every page of the other set is in this one; {@link #ALL} is in itself alone. */
  public boolean containsAll(PageSet other) {
    if (isAll() || other.isAll()) {
      return isAll();
    }
    BitSet missing = (BitSet) other.pages.clone();
    missing.andNot(pages);
    return missing.isEmpty();
  }

  /** The pages that are in one of both sets at least. */
  public PageSet union(PageSet other) {
    if (containsAll(other)) {
      return this;
    }
    if (other.containsAll(this)) {
      return other;
    }
    BitSet both = (BitSet) pages.clone();
    both.or(other.pages);
    return new PageSet(both);
  }

  /**
   * The pages of a block that has so many, as bits of the caller's own.
   *
   * @throws IllegalArgumentException when a page lies behind the block's end
   */
  public BitSet bits(int pageCount) {
    if (pages.length() > pageCount) {
      throw new IllegalArgumentException(
          "page " + (pages.length() - 1) + " of a block of " + pageCount);
    }
    BitSet own = (BitSet) pages.clone();
    if (isAll()) {
      own.set(0, pageCount);
    }
    return own;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PageSet set && pages.equals(set.pages);
  }

  @Override
  public int hashCode() {
    return pages.hashCode();
  }

  @Override
  public String toString() {
    return isAll() ? "all" : pages.toString();
  }
}
