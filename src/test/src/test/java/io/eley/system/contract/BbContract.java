package io.eley.system.contract;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/** {@code bb://} for Hadoop's contract tests, over the {@link ContractOrigin} of the test. */
final class BbContract extends AbstractFSContract {
  private final ContractOrigin origin;

  BbContract(Object test, Configuration conf) {
    super(conf);
    origin = ContractOrigin.of(test);
    addConfResource("contract/bb.xml");
    switch (origin.kind()) {
      case MOUNT -> {}
      case HDFS -> addConfResource("contract/bb-hdfs.xml");
      case S3 -> addConfResource("contract/bb-s3.xml");
    }
  }

  @Override
  public String getScheme() {
    return "bb";
  }

  @Override
  public FileSystem getTestFileSystem() throws IOException {
    return origin.files(getConf());
  }

  @Override
  public Path getTestPath() {
    return new Path("/test");
  }
}
