package io.eley.ior;

import io.eley.bb.api.error.EleyException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Errors as one line for a person. */
final class IorErrorLine {
  private IorErrorLine() {}

  static String of(Exception e) {
    if (e instanceof UncheckedIOException wrapped && wrapped.getCause() != null) {
      return of(wrapped.getCause());
    }
    if (e instanceof NoSuchFileException) {
      return "no such file: " + e.getMessage();
    }
    if (e instanceof AccessDeniedException) {
      return "access denied: " + e.getMessage();
    }
    String text = e.getMessage();
    if (text == null) {
      return e.getClass().getSimpleName();
    }
    String line = text.lines().findFirst().orElse("");
    return e instanceof EleyException || line.contains(" ")
        ? line
        : e.getClass().getSimpleName() + ": " + line;
  }
}
