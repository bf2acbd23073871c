package io.eley.scheduler.hooks.job;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a job script asks of the buffer: {@code #BB_LUA pool=eley capacity=64G origin=/mnt/pfs
 * stage_in=input/part-* stage_out=results}. {@code burst_buffer.lua} checks the same at submission,
 * in the same words, because inside slurmctld it may start no program.
 *
 * @param capacity of all nodes together
 * @param origin absolute path
 * @param stageIn pattern of files to fetch before the job begins, relative to the origin: that may
 *     be named by a link, which files are not
 * @param stageOut directory of the results, absolute, below the origin
 */
public record Directive(
    DataSize capacity, String origin, Optional<String> stageIn, Optional<String> stageOut) {
  private static final String POOL = "eley";
  private static final Set<String> OPTIONS =
      Set.of("capacity", "origin", "pool", "stage_in", "stage_out");
  private static final Pattern LINE = Pattern.compile("#BB_LUA(?:\\s+(.*))?", Pattern.DOTALL);
  private static final Pattern BLANKS = Pattern.compile("\\s+"); // Lua's; strip() knows more
  private static final Pattern SIZE = Pattern.compile("[1-9]\\d{0,5}[KMGT]");
  private static final Pattern PATH = Pattern.compile("[A-Za-z0-9/._@+:,-]+");
  private static final Pattern GLOB = Pattern.compile("[A-Za-z0-9/._@+:,*?\\[\\]-]+");

  /**
   * The directive of a script; empty when it has none.
   *
   * @throws EleyException {@code MALFORMED} in one line for the user
   */
  public static Optional<Directive> read(Path script) throws EleyException {
    return parse(lines(script));
  }

  /** The directive that must be in a script. */
  static Directive required(Path script) throws EleyException {
    return required(lines(script));
  }

  private static List<String> lines(Path script) throws EleyException {
    String text;
    try {
      // Scripts have any encoding, and lines end as they do for the shell and for Lua.
      text = new String(Files.readAllBytes(script), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw wrong("the job's script cannot be read: " + e.getMessage());
    }
    return List.of(text.split("\n", -1));
  }

  /**
   * The directive that must be in these lines.
   *
   * @throws EleyException {@code MALFORMED} in one line for the user, also when there is none
   */
  static Directive required(List<String> lines) throws EleyException {
    return parse(lines).orElseThrow(Directive::missing);
  }

  private static EleyException missing() {
    return new EleyException(ErrorCode.MALFORMED, "the script has no #BB_LUA directive");
  }

  /** In one line, for the user. */
  public String describe() {
    return "capacity "
        + capacity
        + ", origin "
        + origin
        + stageIn.map(p -> ", stage in " + p).orElse("")
        + stageOut.map(p -> ", stage out " + p).orElse("");
  }

  static Optional<Directive> parse(List<String> lines) throws EleyException {
    var words = new ArrayList<String>();
    boolean any = false;
    for (String line : lines) {
      var matcher = LINE.matcher(line);
      if (matcher.matches()) {
        any = true;
        String rest = matcher.group(1);
        if (rest != null) {
          BLANKS.splitAsStream(rest).filter(word -> !word.isEmpty()).forEach(words::add);
        }
      }
    }
    return any ? Optional.of(of(options(words))) : Optional.empty();
  }

  private static Map<String, String> options(List<String> words) throws EleyException {
    var found = new HashMap<String, String>();
    for (String word : words) {
      int sign = word.indexOf('=');
      String key = sign < 0 ? word : word.substring(0, sign);
      if (sign < 0 || !OPTIONS.contains(key)) {
        throw wrong(
            "no option '" + word + "'; there are capacity, origin, pool, stage_in, stage_out");
      }
      if (found.put(key, word.substring(sign + 1)) != null) {
        throw wrong(key + " is given twice");
      }
    }
    return found;
  }

  private static Directive of(Map<String, String> found) throws EleyException {
    if (!POOL.equals(found.get("pool"))) {
      throw wrong("pool=eley is missing, or another pool is named");
    }
    String capacity = found.getOrDefault("capacity", "");
    if (!SIZE.matcher(capacity).matches()) {
      throw wrong("capacity=" + capacity + " is no size such as 64G");
    }
    String origin = found.getOrDefault("origin", "");
    if (!origin.startsWith("/")) {
      throw wrong("origin=" + origin + " is no absolute path");
    }
    check("origin", origin, PATH, origin);
    for (String key : List.of("stage_in", "stage_out")) {
      if (found.containsKey(key)) {
        check(key, found.get(key), key.equals("stage_in") ? GLOB : PATH, origin);
      }
    }
    return new Directive(
        DataSize.parse(capacity.toLowerCase(java.util.Locale.ROOT)),
        origin,
        Optional.ofNullable(found.get("stage_in")).map(in -> relative(in, slashed(origin))),
        Optional.ofNullable(found.get("stage_out"))
            .map(d -> d.startsWith("/") ? d : slashed(origin) + d));
  }

  private static void check(String key, String value, Pattern allowed, String origin)
      throws EleyException {
    String whole = key + "=" + value;
    if (!allowed.matcher(value).matches()) {
      throw wrong(whole + " is empty or has characters that are not allowed");
    }
    if (("/" + value + "/").contains("/../")) {
      throw wrong(whole + " must not go up");
    }
    if (!key.equals("origin") && value.startsWith("/") && !value.startsWith(slashed(origin))) {
      throw wrong(whole + " is not below the origin " + origin);
    }
  }

  private static String relative(String pattern, String above) {
    if (!pattern.startsWith("/")) {
      return pattern;
    }
    return pattern.equals(above) ? "**" : pattern.substring(above.length());
  }

  private static String slashed(String origin) {
    return origin.replaceAll("/+$", "") + "/";
  }

  private static EleyException wrong(String what) {
    return new EleyException(ErrorCode.MALFORMED, "#BB_LUA: " + what);
  }
}
