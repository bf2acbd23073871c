package io.eley.system.contract;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractStreamIOStatisticsTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;

class IoStatisticsContractTest extends AbstractContractStreamIOStatisticsTest {
  @Override
  protected AbstractFSContract createContract(Configuration conf) {
    return new BbContract(this, conf);
  }

  @Override
  public List<String> inputStreamStatisticKeys() {
    return List.of(StreamStatisticNames.STREAM_READ_BYTES);
  }

  @Override
  public List<String> outputStreamStatisticKeys() {
    return List.of(StreamStatisticNames.STREAM_WRITE_BYTES);
  }
}
