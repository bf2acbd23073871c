package io.eley.system.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.system.Deployments;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** What goes into Spark's JVM is ours alone. */
class ConnectorJarTest {
  /** What Spark and Hadoop load by name, on Java 8 and 11, too. */
  private static final Set<String> LOADED_BY_NAME =
      Set.of(
          "io/eley/spark/connector/HadoopRelease.class",
          "io/eley/spark/connector/JavaRelease.class",
          "io/eley/spark/connector/fs/BbScheme.class",
          "io/eley/spark/connector/fs/EleyHdfsFileSystem.class",
          "io/eley/spark/connector/fs/EleyLocalFileSystem.class",
          "io/eley/spark/connector/fs/EleyS3aFileSystem.class",
          "io/eley/spark/connector/fs/FileOpener.class",
          "io/eley/spark/connector/fs/Openers.class",
          "io/eley/spark/connector/plan/EleyPlugin.class",
          "io/eley/spark/connector/shuffle/EleyShuffleDataIO.class",
          "io/eley/spark/connector/shuffle/EleyShuffleDataIO$Driver.class",
          "io/eley/spark/connector/shuffle/EleyShuffleManager.class",
          "io/eley/spark/connector/shuffle/EleyShuffleManager$OutputMover.class");

  private static final int JAVA_8 = 52;
  private static final int JAVA_17 = 61;

  @Test
  void theConnectorBringsNoThirdPartyClassAndItsEntriesLoadOnJava8() throws Exception {
    try (var jar = new JarFile(Deployments.connectorJar().toFile())) {
      List<String> names =
          jar.stream().map(e -> e.getName()).filter(n -> !n.endsWith("/")).toList();
      assertThat(names.stream().filter(n -> n.endsWith(".class")))
          .isNotEmpty()
          .allMatch(n -> n.matches("io/eley/(bb/api|spark/connector)/.*"));
      assertThat(names.stream().filter(n -> !n.endsWith(".class")))
          .allMatch(n -> n.startsWith("META-INF/"));
      assertThat(names)
          .contains("META-INF/services/org.apache.hadoop.fs.FileSystem")
          .containsAll(LOADED_BY_NAME)
          .contains("io/eley/bb/api/client/EleyClient.class");
      assertThat(names).noneMatch(n -> n.startsWith("io/eley/bb/api/process/"));
      for (String name : names.stream().filter(n -> n.endsWith(".class")).toList()) {
        try (var in = jar.getInputStream(jar.getEntry(name))) {
          byte[] head = in.readNBytes(8);
          int version = LOADED_BY_NAME.contains(name) ? JAVA_8 : JAVA_17;
          assertThat(head[7]).as("class file version of %s", name).isEqualTo((byte) version);
        }
      }
    }
  }
}
