package io.eley.local.deployment;

import io.eley.bb.api.config.Settings;
import io.eley.bb.api.error.EleyException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A process that runs until it is told to stop: TERM closes it in order, then the JVM ends. */
public final class Daemon {
  /**
   * Environment variable of a process that must not outlive its parent: the number of the parent's
   * process. Killing the parent leaves nothing behind, not even what it was just about to start.
   */
  public static final String PARENT = "ELEY_PARENT";

  private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);

  /** Starts something that is closed at the end. */
  @FunctionalInterface
  public interface Starter {
    AutoCloseable start(Settings settings) throws EleyException;
  }

  private Daemon() {}

  /** Runs until the JVM is asked to end. Blocks. */
  public static int run(Map<String, String> settings, Starter starter) throws EleyException {
    AutoCloseable running = starter.start(Settings.of(settings, LOG::warn));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(running), "eley-stop"));
    endWithParent(System.getenv(PARENT));
    openClassPath();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  /**
   * Opens every jar of the class path. One that is opened when it is first needed may be needed
   * when there is no descriptor left, and what a JVM could not load once it never loads.
   */
  private static void openClassPath() {
    try {
      var unused = ClassLoader.getSystemResources("no/such/resource").hasMoreElements();
    } catch (IOException e) {
      LOG.debug("cannot look through the class path", e);
    }
  }

  /** Ends this process, in order, when another one is gone; at once when it is gone already. */
  private static void endWithParent(@Nullable String parent) {
    if (parent == null) {
      return;
    }
    var gone =
        ProcessHandle.of(Long.parseLong(parent))
            .map(ProcessHandle::onExit)
            .orElseGet(() -> CompletableFuture.completedFuture(ProcessHandle.current()));
    var unused = gone.thenRun(() -> System.exit(0));
  }

  @SuppressWarnings(
      "CatchAndPrintStackTrace") // the last thing this process does; there is nobody to throw to
  private static void close(AutoCloseable running) {
    try {
      running.close();
    } catch (Exception e) {
      System.err.println("eley: could not stop cleanly: " + e);
    }
  }
}
