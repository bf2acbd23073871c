package io.eley.spark.connector.fs;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.security.AccessControlException;

/** The one place where Eley's errors are mapped to Hadoop's. */
final class Errors {
  private Errors() {}

  static IOException hadoop(EleyException e) {
    IOException mapped =
        switch (e.code()) {
          case NOT_FOUND -> new FileNotFoundException(e.getMessage());
          case ACCESS_DENIED, OUTSIDE_ORIGIN -> new AccessControlException(e.getMessage());
          case INTERRUPTED -> new InterruptedIOException(e.getMessage());
          default -> null;
        };
    if (mapped == null) {
      return e;
    }
    mapped.initCause(e);
    return mapped;
  }

  /**
   * The error of whoever comes after an error, of the same kind where that was an interruption: the
   * streams of the JDK around ours throw what closing says, and not what came first.
   */
  static IOException again(String text, Exception first) {
    boolean interrupted =
        first instanceof InterruptedIOException
            || (first instanceof EleyException e && e.code() == ErrorCode.INTERRUPTED);
    IOException error = interrupted ? new InterruptedIOException(text) : new IOException(text);
    error.initCause(first);
    return error;
  }

  /** Whether a rename did nothing since its target was there: see {@code Origin.rename}. */
  static boolean saysTaken(EleyException e) {
    return e.getCause() instanceof java.nio.file.FileAlreadyExistsException;
  }

  /** Of who lost a race for a name: those who race for it catch this one alone, and go on. */
  static IOException taken(Object name, IOException why) {
    var error = new FileAlreadyExistsException(name + " exists already");
    error.initCause(why);
    return error;
  }
}
