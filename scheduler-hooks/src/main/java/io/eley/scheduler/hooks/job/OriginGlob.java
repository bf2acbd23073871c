package io.eley.scheduler.hooks.job;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Which paths a pattern matches, and which directories may lead to them. Immutable. */
final class OriginGlob {
  /** What cannot be cut at each slash: {@code {a,b/c}}, and escapes. */
  private static final Pattern UNEVEN = Pattern.compile("\\\\|\\{[^}]*/");

  private static final String ANY_DEPTH = "**";

  private final String glob;
  private final PathMatcher whole;

  /** The pattern's first name, its first two, and so on; none where it cannot be cut. */
  private final List<PathMatcher> beginnings = new ArrayList<>();

  /** How many a match has at most, when none of them stands for any depth. */
  private final int names;

  /** A directory of so many names lies behind one that stands for any depth. */
  private final int anyFrom;

  /**
   * Looks at nothing yet.
   *
   * @param glob begins with a slash
   */
  OriginGlob(String glob) {
    this.glob = glob;
    whole = matcher(glob);
    List<String> parts = List.of(glob.substring(1).split("/", -1));
    names = parts.size();
    int any = 0;
    while (any < names && !parts.get(any).contains(ANY_DEPTH)) {
      any++;
    }
    anyFrom = any + 1;
    if (!UNEVEN.matcher(glob).find()) {
      for (int i = 0; i < any; i++) {
        beginnings.add(matcher("/" + String.join("/", parts.subList(0, i + 1))));
      }
    }
  }

  private static PathMatcher matcher(String glob) {
    return FileSystems.getDefault().getPathMatcher("glob:" + glob);
  }

  /** The directory above the first wildcard. */
  String fixedPart() {
    int wild = glob.length();
    for (char c : new char[] {'*', '?', '[', '{'}) {
      int at = glob.indexOf(c);
      wild = at < 0 ? wild : Math.min(wild, at);
    }
    int slash = glob.lastIndexOf('/', wild - 1);
    return slash <= 0 ? "/" : glob.substring(0, slash);
  }

  boolean matches(String path) {
    return whole.matches(Path.of(path));
  }

  /** Whether there may be matches below this directory. */
  boolean leadsInto(String directory) {
    Path path = Path.of(directory);
    int depth = path.getNameCount();
    return depth >= anyFrom
        || (depth < names && (beginnings.isEmpty() || beginnings.get(depth - 1).matches(path)));
  }
}
