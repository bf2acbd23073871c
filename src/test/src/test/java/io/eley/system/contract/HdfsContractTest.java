package io.eley.system.contract;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Hadoop's contract over HDFS; what is expected of it stands in {@code contract/bb-hdfs.xml}. */
@ContractOrigin.Over(ContractOrigin.Kind.HDFS)
@EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
class HdfsContractTest {
  @Nested
  class Open extends OpenContractTest {}

  @Nested
  class Seek extends SeekContractTest {}

  @Nested
  class Unbuffer extends UnbufferContractTest {}

  @Nested
  class GetFileStatus extends GetFileStatusContractTest {}

  @Nested
  @ParameterizedClass(name = "buffer-{0}")
  @MethodSource("params")
  class VectoredRead extends VectoredReadContractTest {
    VectoredRead(String bufferType) {
      super(bufferType);
    }
  }

  @Nested
  class Create extends CreateContractTest {}

  @Nested
  class Delete extends DeleteContractTest {}

  @Nested
  class Rename extends RenameContractTest {}

  @Nested
  class Mkdir extends MkdirContractTest {}

  @Nested
  class ContentSummary extends ContentSummaryContractTest {}

  @Nested
  class SetTimes extends SetTimesContractTest {}

  @Nested
  class RootDirectory extends RootDirectoryContractTest {}

  @Nested
  class Append extends AppendContractTest {}

  @Nested
  class IoStatistics extends IoStatisticsContractTest {}
}
