package io.eley.spark.connector.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.spark.connector.plan.EleyPlugin;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.VersionInfo;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A site's Hadoop that lacks a class which ours extend. */
class OldHadoopTest {
  private static final String MISSING = "org.apache.hadoop.fs.statistics.";

  @TempDir private java.nio.file.Path origin;

  /** Loads our classes anew, and finds none of Hadoop's statistics for them. */
  private static final class OldHadoop extends ClassLoader {
    OldHadoop() {
      super(OldHadoopTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith(MISSING)) {
        throw new ClassNotFoundException(name);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
          return loaded;
        }
        return name.startsWith("io.eley.") ? own(name) : super.loadClass(name, resolve);
      }
    }

    private Class<?> own(String name) throws ClassNotFoundException {
      try (@Nullable InputStream bytes =
          getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (bytes == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] all = bytes.readAllBytes();
        return defineClass(name, all, 0, all.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    /** Of a type that Hadoop or Spark knows by this other name. */
    <T> T make(Class<? extends T> type, Class<T> known) throws ReflectiveOperationException {
      return loadClass(type.getName()).asSubclass(known).getDeclaredConstructor().newInstance();
    }
  }

  private Configuration conf() {
    var conf = new Configuration(false);
    conf.set("eley.client.origin", origin.toString());
    return conf;
  }

  @Test
  void bbIsRefusedInOneLineThatNamesTheOldest() throws Exception {
    FileSystem bb = new OldHadoop().make(BbScheme.class, FileSystem.class);
    assertThatThrownBy(() -> bb.initialize(URI.create("bb:///"), conf()))
        .isInstanceOf(IOException.class)
        .hasMessage("bb:// needs Hadoop 3.3.1 or newer; this is " + VersionInfo.getVersion());
  }

  /** What is planned nobody would read through the buffer; and Spark starts. */
  @Test
  void nothingIsPlanned() throws Exception {
    SparkPlugin plugin = new OldHadoop().make(EleyPlugin.class, SparkPlugin.class);
    assertThat(plugin.driverPlugin()).isNull();
    assertThat(plugin.executorPlugin()).isNull();
  }

  @Test
  void unchangedPathsAreReadWithoutUs() throws Exception {
    java.nio.file.Path file = Files.writeString(origin.resolve("f"), "x");
    try (var local = new OldHadoop().make(EleyLocalFileSystem.class, FileSystem.class)) {
      local.initialize(URI.create("file:///"), conf());
      try (var in = local.open(new Path(file.toUri()))) {
        assertThat(in.read()).isEqualTo('x');
      }
    }
  }
}
