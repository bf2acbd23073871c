package io.eley.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eley.bb.api.config.DataSize;
import io.eley.laboratory.Installation;
import io.eley.laboratory.LocalLauncher;
import io.eley.laboratory.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo as a whole, where it cannot be prepared. */
@Timeout(60)
class DemoExperimentTest {
  @TempDir private Path temp;

  @Test
  void aCalibrationThatFailsLeavesItsLogAndTheErrorNamesIt() throws Exception {
    Path out = temp.resolve("out");
    Path log = out.resolve("logs/calibration/spark/driver.log");
    var demo = new DemoExperiment(withAnEmptySpark(), new LocalLauncher(), Progress.SILENT);
    var input =
        new DemoOptions.Input(null, null, Duration.ofSeconds(1), 1, DataSize.ofMebibytes(1), 7);

    assertThatThrownBy(() -> demo.run(DemoOptions.quick(out).withInput(input)))
        .hasMessageContaining("the Spark application failed")
        .hasMessageContaining("see " + log + ":");
    assertThat(log).content().contains("org.apache.spark.deploy.SparkSubmit");
  }

  private Installation withAnEmptySpark() throws Exception {
    Path jar = Files.createFile(temp.resolve("spark-core_2.13-4.2.0.jar"));
    Path spark = Files.writeString(temp.resolve("spark.classpath"), jar.toString());
    return new Installation(spark, jar, jar, jar, List.of(), null);
  }
}
