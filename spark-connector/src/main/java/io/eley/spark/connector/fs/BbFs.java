package io.eley.spark.connector.fs;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;

/** {@code bb://} for Hadoop's newer {@code FileContext} API. */
public final class BbFs extends DelegateToFileSystem {
  /** Called by Hadoop, by reflection. */
  public BbFs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    super(uri, new BbFileSystem(), conf, BbFileSystem.SCHEME, false);
  }

  @Override
  public int getUriDefaultPort() {
    return -1;
  }
}
