package io.eley.origin.hadoop;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.io.IOException;

/**
 * Calls to Hadoop's clients. They find services and classes by the thread's context class loader,
 * which is the process's; so each call is made with ours.
 */
final class Calls {
  private Calls() {}

  /** What returns something. */
  @FunctionalInterface
  interface Call<T> {
    T run() throws IOException;
  }

  /** What returns nothing. */
  @FunctionalInterface
  interface Action {
    void run() throws IOException;
  }

  /**
   * Makes a call.
   *
   * @param doing such as {@code read /a/b}
   * @throws EleyException for whatever it throws but lack of memory
   */
  static <T> T get(String doing, Call<T> call) throws EleyException {
    Thread thread = Thread.currentThread();
    ClassLoader process = thread.getContextClassLoader();
    thread.setContextClassLoader(Calls.class.getClassLoader());
    try {
      return call.run();
    } catch (IOException e) {
      throw HadoopErrors.of(doing, e);
    } catch (LinkageError e) {
      throw new EleyException(
          ErrorCode.ORIGIN_FAILED, "cannot " + doing + ": " + HadoopErrors.lacking(e), e);
    } catch (RuntimeException e) {
      throw new EleyException(
          ErrorCode.ORIGIN_FAILED, "cannot " + doing + ": " + HadoopErrors.line(e), e);
    } finally {
      thread.setContextClassLoader(process);
    }
  }

  static void run(String doing, Action action) throws EleyException {
    boolean unused =
        get(
            doing,
            () -> {
              action.run();
              return true;
            });
  }
}
