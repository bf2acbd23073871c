package io.eley.spark.connector.fs;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;

/** {@code bb://} for Hadoop's newer {@code FileContext} API. */
public final class BbFs extends DelegateToFileSystem {
  /** Called by Hadoop, by reflection. */
  public BbFs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    super(uri, new BbFileSystem(), conf, BbFileSystem.SCHEME, false);
  }

  /**
   * With overwriting, a file replaces another one in one step where the origin can: Hadoop would
   * delete that first, and who is killed then leaves neither, as a speculative task's attempt may.
   * Without, it refuses by what is cached; where the origin has no such target, it looks once more.
   */
  @Override
  public void renameInternal(Path from, Path to, boolean overwrite) throws IOException {
    var files = (BbFileSystem) fsImpl;
    if (overwrite && files.replace(from, to)) {
      return;
    }
    try {
      super.renameInternal(from, to, overwrite);
    } catch (FileAlreadyExistsException e) {
      if (overwrite || !files.forgetIfGone(from, to)) {
        throw e;
      }
      super.renameInternal(from, to, overwrite);
    }
  }

  /** Who finds the name taken since Hadoop looked is told that, in place of some failure. */
  @Override
  public void renameInternal(Path from, Path to) throws IOException {
    ((BbFileSystem) fsImpl).renameToFree(from, to);
  }

  @Override
  public int getUriDefaultPort() {
    return -1;
  }
}
