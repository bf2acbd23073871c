package io.eley.spark.connector.shuffle;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.ShuffleWriter;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;

/** Spark's writer, whose output is handed on once it is complete. For one task's thread. */
final class MovingWriter<K, V> extends ShuffleWriter<K, V> {
  private final ShuffleWriter<K, V> writer;
  private final Consumer<MapStatus> complete;

  MovingWriter(ShuffleWriter<K, V> writer, Consumer<MapStatus> complete) {
    this.writer = writer;
    this.complete = complete;
  }

  @Override
  public void write(Iterator<Product2<K, V>> records) throws IOException {
    writer.write(records);
  }

  @Override
  public Option<MapStatus> stop(boolean success) {
    Option<MapStatus> status = writer.stop(success);
    if (success && status.isDefined()) {
      complete.accept(status.get());
    }
    return status;
  }

  @Override
  public long[] getPartitionLengths() {
    return writer.getPartitionLengths();
  }
}
