package io.eley.scheduler.hooks.slurm;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The mark on Eley's own jobs: a word in the job's comment, or in its administrator's comment,
 * which {@code squeue} shows to whoever sees the job. Without it two deployments would take each
 * other's reads for an HPC application's, and each would hold for the other. Who puts it on a job
 * that is not Eley's gives away the protection of that job alone, while it is there.
 */
public final class EleyMark {
  /** The word itself. */
  public static final String WORD = "eley=job";

  private static final String BETWEEN_WORDS = "[\\s,;]+";

  /** The word behind others, and the first of all. */
  private static final Pattern LATER = Pattern.compile("[\\s,;]" + WORD + "(?![^\\s,;])");

  private static final Pattern FIRST = Pattern.compile("^" + WORD + "([\\s,;]|$)");

  private EleyMark() {}

  /** Whether a comment bears the mark. */
  public static boolean in(String comment) {
    return words(comment).contains(WORD);
  }

  /** The comment with the mark; what its user wrote stays as it is. */
  public static String on(String comment) {
    if (in(comment)) {
      return comment;
    }
    return comment.isBlank() ? WORD : comment + " " + WORD;
  }

  /** What the comment says beside the mark, which takes one separator along. */
  public static String without(String comment) {
    return FIRST.matcher(LATER.matcher(comment).replaceAll("")).replaceFirst("");
  }

  /** The words of a comment. */
  static List<String> words(String comment) {
    return Arrays.asList(comment.split(BETWEEN_WORDS, -1));
  }
}
