package io.eley.origin.hadoop;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.Origins;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.ShutdownHookManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a file system at the end of a user's JVM, where nobody has closed it before. Hadoop does
 * so for those in its cache, which an origin's is not: in HDFS, a file whose stream nobody closes
 * would else stay open for writing, short of its last bytes, until its lease is over. {@code
 * fs.automatic.close=false} leaves that to the user, as it does Hadoop's own.
 *
 * <p>Processes of ours write nothing there, close their origins in order, and serve until then.
 * Safe for several threads.
 */
final class ClosedAtEnd {
  /** After Hadoop's own: those may close a {@code bb://} file system that needs its origin yet. */
  private static final int PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY - 1;

  private static final Logger LOG = LoggerFactory.getLogger(ClosedAtEnd.class);

  private final Runnable hook;

  ClosedAtEnd(FileSystem files) {
    hook = () -> close(files);
    if (isWanted(files.getConf(), ClosedAtEnd.class.getClassLoader().getName())) {
      beforeTheEnd(() -> hooks().addShutdownHook(hook, PRIORITY));
    }
  }

  /**
   * Whether what has these settings is to be closed.
   *
   * @param loader name of the class loader that has loaded us
   */
  static boolean isWanted(Configuration conf, @Nullable String loader) {
    return !Origins.APART.equals(loader)
        && conf.getBoolean(
            CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY,
            CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_DEFAULT);
  }

  /** Leaves the file system to the caller, who closes it. */
  void cancel() {
    beforeTheEnd(() -> hooks().removeShutdownHook(hook));
  }

  private static ShutdownHookManager hooks() {
    return ShutdownHookManager.get();
  }

  /** Hooks cannot be changed any more once the JVM ends. */
  private static void beforeTheEnd(Runnable change) {
    if (hooks().isShutdownInProgress()) {
      return;
    }
    try {
      change.run();
    } catch (IllegalStateException e) {
      LOG.debug("the JVM ends: {}", e.toString());
    }
  }

  private static void close(FileSystem files) {
    try {
      Calls.run("close " + files.getUri() + " at the JVM's end", files::close);
    } catch (EleyException e) {
      LOG.warn("{}", e.getMessage());
    }
  }
}
