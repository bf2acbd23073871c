package io.eley.coordinator.live;

import com.sun.net.httpserver.Headers;
import java.util.List;

/** Tells requests that a page of another origin makes a browser send. */
final class CrossOrigin {
  /** The scheme is the server's own: whoever reached it has spoken it. */
  private static final List<String> SCHEMES = List.of("http://", "https://");

  private CrossOrigin() {}

  /**
   * Whether it is one. Opening the page from a link elsewhere is none: the browser shows it to the
   * person and to nobody else.
   */
  static boolean is(Headers headers) {
    String origin = headers.getFirst("Origin");
    String host = headers.getFirst("Host");
    if (origin != null && SCHEMES.stream().noneMatch(s -> origin.equals(s + host))) {
      return true;
    }
    String site = headers.getFirst("Sec-Fetch-Site");
    boolean navigates = "navigate".equals(headers.getFirst("Sec-Fetch-Mode"));
    boolean own = site == null || site.equals("same-origin") || site.equals("none");
    return !own && !(navigates && "document".equals(headers.getFirst("Sec-Fetch-Dest")));
  }
}
