package io.eley.system.contract;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Hadoop's contract over S3; what is expected of it stands in {@code contract/bb-s3.xml}. */
@ContractOrigin.Over(ContractOrigin.Kind.S3)
class S3ContractTest {
  @Nested
  class Open extends OpenContractTest {}

  @Nested
  class Seek extends SeekContractTest {}

  @Nested
  class Unbuffer extends UnbufferContractTest {}

  @Nested
  class GetFileStatus extends GetFileStatusContractTest {}

  @Nested
  @EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
  @ParameterizedClass(name = "buffer-{0}")
  @MethodSource("params")
  class VectoredRead extends VectoredReadContractTest {
    VectoredRead(String bufferType) {
      super(bufferType);
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
  class Create extends CreateContractTest {}

  @Nested
  @EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
  class Delete extends DeleteContractTest {}

  @Nested
  @EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
  class Rename extends RenameContractTest {}

  @Nested
  @EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
  class Mkdir extends MkdirContractTest {}

  @Nested
  @EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
  class ContentSummary extends ContentSummaryContractTest {}

  @Nested
  @EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
  class SetTimes extends SetTimesContractTest {}

  @Nested
  @EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
  class RootDirectory extends RootDirectoryContractTest {}

  @Nested
  @EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
  class Append extends AppendContractTest {}

  @Nested
  @EnabledIfSystemProperty(named = "eley.test.all", matches = "true")
  class IoStatistics extends IoStatisticsContractTest {}
}
