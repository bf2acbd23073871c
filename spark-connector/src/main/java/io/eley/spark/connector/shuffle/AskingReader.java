package io.eley.spark.connector.shuffle;

import java.util.function.Consumer;
import org.apache.spark.FetchFailed;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.shuffle.ShuffleReader;
import scala.Product2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Spark's reader, which tells of a service that it finds gone before it fails. For one task's
 * thread.
 */
final class AskingReader<K, C> implements ShuffleReader<K, C> {
  private final ShuffleReader<K, C> reader;
  private final Consumer<String> lost;

  /**
   * @param lost gets the name of the service, and returns when something was done about it
   */
  AskingReader(ShuffleReader<K, C> reader, Consumer<String> lost) {
    this.reader = reader;
    this.lost = lost;
  }

  @Override
  public Iterator<Product2<K, C>> read() {
    try {
      return new Records<>(reader.read(), this::note);
    } catch (Exception e) {
      note(e);
      throw e;
    }
  }

  private void note(Exception e) {
    if (e instanceof FetchFailedException failed
        && failed.toTaskFailedReason() instanceof FetchFailed reason
        && reason.bmAddress() != null
        && SecondCopy.of(reason.bmAddress()).isPresent()) {
      lost.accept(reason.bmAddress().executorId());
    }
  }

  /** Scala declares no exceptions: a failed fetch comes out of any call. */
  private static final class Records<T> extends AbstractIterator<T> {
    private final Iterator<T> records;
    private final Consumer<Exception> failed;

    Records(Iterator<T> records, Consumer<Exception> failed) {
      this.records = records;
      this.failed = failed;
    }

    @Override
    public boolean hasNext() {
      try {
        return records.hasNext();
      } catch (Exception e) {
        failed.accept(e);
        throw e;
      }
    }

    @Override
    public T next() {
      try {
        return records.next();
      } catch (Exception e) {
        failed.accept(e);
        throw e;
      }
    }
  }
}
