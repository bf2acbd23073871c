package io.eley.spark.connector.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the plan names of columnar files is what tasks read of them, on a real Spark. */
@Tag("spark")
@Timeout(600)
class ColumnScansTest {
  @TempDir private Path temp;

  @Test
  void thePlanNamesWhatTasksRead() throws Exception {
    for (ColumnScan scan : ColumnScans.run(temp, List.of("parquet", "orc"))) {
      assertThat(scan.files()).as(scan.query()).isPositive();
      assertThat(scan.unplanned()).as(scan.line()).isZero();
      assertThat(scan.isFrugal()).as(scan.line()).isTrue();
    }
  }
}
