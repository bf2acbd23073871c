package io.eley.spark.connector.fs;

import io.eley.spark.connector.HadoopRelease;
import io.eley.spark.connector.JavaRelease;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;

/**
 * What Hadoop finds as a service. It does so when any of its file systems is used first, and a
 * class that it cannot load would end a job that never reads {@code bb://}.
 *
 * <p>It makes {@code BbFileSystem} and {@code BbFs} known by Hadoop's own default configuration, as
 * HDFS makes its classes known: FileContext knows no services. A configuration without defaults
 * comes here, and is passed on.
 */
public final class BbScheme extends FilterFileSystem {
  private static final String SCHEME = "bb";

  static {
    if (JavaRelease.suffices() && HadoopRelease.suffices()) {
      Configuration.addDefaultResource("META-INF/eley/hadoop-default.xml");
    }
  }

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    if (!JavaRelease.suffices()) {
      throw new IOException(JavaRelease.refusal(SCHEME + "://"));
    }
    if (!HadoopRelease.suffices()) {
      throw new IOException(HadoopRelease.refusal(SCHEME + "://"));
    }
    try {
      Class<?> real = Class.forName("io.eley.spark.connector.fs.BbFileSystem");
      fs = real.asSubclass(FileSystem.class).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IOException("the connector's jar is not whole", e);
    }
    super.initialize(name, conf);
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }
}
