package io.eley.origin.hadoop;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import org.apache.hadoop.security.AccessControlException;

/** The one place where errors of Hadoop's clients become ours. */
final class HadoopErrors {
  /** Longer ones are answers of servers, in XML. */
  private static final int LONGEST = 300;

  private HadoopErrors() {}

  /**
   * The error of a call, in one line.
   *
   * @param doing such as {@code read /a/b}
   */
  static EleyException of(String doing, IOException e) {
    if (e instanceof EleyException ours) {
      return ours;
    }
    return new EleyException(code(e), "cannot " + doing + " on the origin: " + line(e), e);
  }

  static ErrorCode code(Throwable e) {
    if (saysInterrupted(e)) {
      return ErrorCode.INTERRUPTED;
    }
    if (named(e, "RemoteFileChangedException")) {
      return ErrorCode.STALE_VERSION;
    }
    if (e instanceof FileNotFoundException || named(e, "UnknownStoreException")) {
      return ErrorCode.NOT_FOUND;
    }
    if (e instanceof AccessDeniedException
        || e instanceof AccessControlException
        || named(e, "NoAuthWithAWSException")) {
      return ErrorCode.ACCESS_DENIED;
    }
    return ErrorCode.ORIGIN_FAILED;
  }

  /** Those of time-outs are subclasses of the same class. */
  private static boolean saysInterrupted(Throwable e) {
    return e.getClass() == InterruptedIOException.class || e instanceof ClosedByInterruptException;
  }

  /** Of S3A, whose classes need not be there. */
  private static boolean named(Throwable e, String name) {
    return e.getClass().getSimpleName().equals(name);
  }

  /** What to do about a class that is on no class path. */
  static String lacking(LinkageError e) {
    Throwable deepest = e;
    while (deepest.getCause() instanceof LinkageError cause) {
      deepest = cause;
    }
    return "the class path lacks "
        + String.valueOf(deepest.getMessage()).replace('/', '.')
        + "; add its jar to --origin-classpath";
  }

  /** The first line of what it says. */
  static String line(Throwable e) {
    String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    String first = text.lines().filter(line -> !line.isBlank()).findFirst().orElse("").strip();
    return first.length() <= LONGEST ? first : first.substring(0, LONGEST) + " ...";
  }
}
