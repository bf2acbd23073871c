package io.eley.coordinator.metadata;

import io.eley.bb.api.OriginPaths;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.wire.MetadataMessage.Listing;
import java.util.List;

/** Finds children in listings, which are in the order of their paths. */
final class Listings {
  /** Of a page's children, as they are encoded; a part of the largest frame. */
  private static final int PAGE_BYTES = 256 << 10;

  private Listings() {}

  /** How many children come up to this path, itself included. */
  static int after(List<OriginStatus> children, String path) {
    int from = 0;
    int to = children.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (children.get(middle).path().compareTo(path) <= 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /**
   * A page of a listing, as long as fits well into a frame.
   *
   * @param after name of the last child already sent, or empty
   */
  static Listing page(String directory, List<OriginStatus> children, String after) {
    int from = after.isEmpty() ? 0 : after(children, child(directory, after));
    int end = from;
    int bytes = 0;
    while (end < children.size() && bytes < PAGE_BYTES) {
      bytes += Listing.bytesAtMost(children.get(end));
      end++;
    }
    return new Listing(children.subList(from, end), end < children.size());
  }

  private static String child(String directory, String name) {
    return directory.equals(OriginPaths.ROOT) ? "/" + name : directory + "/" + name;
  }
}
