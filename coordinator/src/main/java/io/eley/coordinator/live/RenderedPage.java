package io.eley.coordinator.live;

import io.eley.pages.InlinePolicy;
import io.eley.pages.Page;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The page as it is sent: made at the first request, and kept, for it holds no data. Safe for
 * several threads.
 */
public final class RenderedPage {
  private @Nullable String html;
  private @Nullable String policy;

  /** The page. */
  synchronized String html() throws IOException {
    String known = html;
    if (known == null) {
      known = new Page(RenderedPage.class, "live").render();
      html = known;
    }
    return known;
  }

  /** The content security policy under which its own scripts run, and nothing else. */
  synchronized String policy() throws IOException {
    String known = policy;
    if (known == null) {
      known = InlinePolicy.of(html()) + "; connect-src 'self'; frame-ancestors 'none'";
      policy = known;
    }
    return known;
  }
}
