package io.eley.scheduler.hooks.submission;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * What is said over the socket, once each way: a job's number and a line's end; then a line, {@code
 * ok} or {@code no}, and below it what the job finds in its environment, or the reason.
 *
 * @param submitted whether Slurm has taken the buffer's job
 * @param text the environment, or the reason in one line
 */
record SubmissionAnswer(boolean submitted, String text) {
  /** Eighteen digits and a line's end. */
  private static final int MOST_QUESTION_BYTES = 19;

  private static final int MOST_ANSWER_BYTES = 64 << 10;
  private static final String OK = "ok\n";
  private static final String NO = "no\n";

  /** The question for a job, as bytes. */
  static byte[] question(long job) {
    return (job + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Reads the job's number. Blocks until the asker has said it.
   *
   * @throws EleyException {@code MALFORMED} when it is anything else
   */
  static long readQuestion(InputStream in) throws IOException, EleyException {
    byte[] bytes = in.readNBytes(MOST_QUESTION_BYTES + 1);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    if (bytes.length > MOST_QUESTION_BYTES || !text.matches("\\d{1,18}\n")) {
      throw new EleyException(ErrorCode.MALFORMED, "the question is no job's number");
    }
    return Long.parseLong(text.stripTrailing());
  }

  byte[] bytes() {
    byte[] whole = ((submitted ? OK : NO) + text).getBytes(StandardCharsets.UTF_8);
    if (whole.length > MOST_ANSWER_BYTES) {
      throw new IllegalArgumentException("an answer of " + whole.length + " bytes");
    }
    return whole;
  }

  /** Reads an answer to its end. Blocks. */
  static SubmissionAnswer read(InputStream in) throws IOException, EleyException {
    byte[] bytes = in.readNBytes(MOST_ANSWER_BYTES + 1);
    String whole = new String(bytes, StandardCharsets.UTF_8);
    boolean known = whole.startsWith(OK) || whole.startsWith(NO);
    if (bytes.length > MOST_ANSWER_BYTES || !known) {
      throw new EleyException(
          ErrorCode.MALFORMED, "an answer of " + bytes.length + " bytes that makes no sense");
    }
    return new SubmissionAnswer(whole.startsWith(OK), whole.substring(OK.length()));
  }
}
