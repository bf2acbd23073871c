package io.eley.coordinator.drivers;

import io.eley.bb.api.edge.NameRule;
import io.eley.bb.api.edge.OwnFiles;
import io.eley.bb.api.edge.OwnPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names of the applications whose drivers report, a line each in a file of the deployment
 * directory. A driver that is killed while no coordinator runs reports to none: without the file
 * the next one would never hear of its application, whose intermediate data would keep its room for
 * ever. Nodes cannot tell: they serve applications, too, whose drivers report to nobody.
 *
 * <p>Written on a thread of its own, since the file system may be slow. What cannot be written is
 * logged once; nothing else depends on it.
 */
public final class KnownApplications implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KnownApplications.class);
  private static final long FAREWELL_MILLIS = 2_000;

  private final Path file;
  private final ExecutorService thread;
  private boolean complained;

  public KnownApplications(Path file) {
    this.file = file;
    thread =
        Executors.newSingleThreadExecutor(
            work -> {
              var writer = new Thread(work, "eley-applications");
              writer.setDaemon(true);
              return writer;
            });
    thread.execute(() -> {}); // It starts now: later the system may give none.
  }

  /** The names that an earlier coordinator has kept; what is no name is left out. Blocks. */
  public List<String> earlier() {
    try {
      return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
          ? OwnPaths.read(file).lines().filter(KnownApplications::isName).toList()
          : List.of();
    } catch (IOException e) {
      complain(e);
      return List.of();
    }
  }

  private static boolean isName(String line) {
    try {
      NameRule.APPLICATION.require(line);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Keeps these names in place of those before. Never blocks; any thread. */
  public void keep(List<String> names) {
    try {
      thread.execute(() -> write(names));
    } catch (RejectedExecutionException e) {
      LOG.debug("closed: the last change of the applications is lost");
    }
  }

  private void write(List<String> names) {
    try {
      OwnFiles.replace(file, names.stream().map(name -> name + "\n").collect(Collectors.joining()));
    } catch (IOException e) {
      complain(e);
    }
  }

  private synchronized void complain(IOException e) {
    if (!complained) {
      complained = true;
      LOG.warn("the list of applications {} cannot be used: {}", file, e.getMessage());
    }
  }

  /** Writes what is queued; waits for at most two seconds. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(FAREWELL_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.warn("the deployment directory's disk is slow; {} may be old", file);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
