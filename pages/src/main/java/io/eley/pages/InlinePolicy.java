package io.eley.pages;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The content security policy of a page that is served: its own inline scripts and styles by their
 * digests, images it draws itself, and nothing else. So even markup that got into the page could
 * run nothing.
 */
public final class InlinePolicy {
  private static final Pattern SCRIPT = Pattern.compile("<script>(.*?)</script>", Pattern.DOTALL);
  private static final Pattern STYLE = Pattern.compile("<style>(.*?)</style>", Pattern.DOTALL);

  private InlinePolicy() {}

  /** The policy's value, to which a server may add what the page connects to. */
  public static String of(String html) {
    return "default-src 'none'; script-src "
        + digests(SCRIPT, html)
        + "; style-src "
        + digests(STYLE, html)
        + "; img-src data: blob:; base-uri 'none'; form-action 'none'";
  }

  private static String digests(Pattern element, String html) {
    String all =
        element
            .matcher(html)
            .results()
            .map(found -> "'sha256-" + digest(found.group(1)) + "'")
            .collect(Collectors.joining(" "));
    return all.isEmpty() ? "'none'" : all;
  }

  private static String digest(String text) {
    try {
      byte[] sum =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(sum);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
