package io.eley.spark.connector.plan;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the ranges that a task reads of its files, as their footers become known. */
final class TaskRanges {
  /** With some more, what one message about a split may take of a frame. */
  private static final int SPLIT_BYTES = 512 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(TaskRanges.class);
  private static final AtomicBoolean TOLD = new AtomicBoolean();

  private final Footers footers;

  TaskRanges(Footers footers) {
    this.footers = footers;
  }

  /**
   * The split of a task. It never fails: a file whose footer is not known has no slice, since
   * nothing fetched is better than a whole file of which little is read. Does not block.
   */
  CompletableFuture<Split> split(TaskInput input) {
    int most = most(input);
    var found = input.parts().stream().map(part -> slices(part, most)).toList();
    return CompletableFuture.allOf(found.toArray(CompletableFuture[]::new))
        .thenApply(
            all -> {
              var known = found.stream().map(CompletableFuture::join).toList();
              return new Split(
                  input.partition(),
                  known.stream().flatMap(slices -> slices.all.stream()).toList(),
                  known.stream().allMatch(Slices::exact));
            });
  }

  private CompletableFuture<Slices> slices(TaskInput.Part part, int most) {
    if (part.columns().isEmpty()) {
      return CompletableFuture.completedFuture(Slices.whole(part.slice()));
    }
    TaskInput.Columns columns = part.columns().get();
    return footers
        .use(columns.file(), footer -> slices(part.slice(), columns.scan(), footer, most))
        .exceptionally(failure -> new Slices(List.of(), true));
  }

  private static Slices slices(FileSlice slice, ScanColumns scan, Footer footer, int most) {
    Optional<List<ByteRange>> ranges = ranges(slice, scan, footer);
    return ranges.isEmpty()
        ? Slices.whole(slice)
        : new Slices(
            ColumnRanges.merged(ranges.get(), most).stream()
                .map(range -> new FileSlice(slice.path(), range))
                .toList(),
            true);
  }

  /** Without columns when this Spark cannot be asked for them. */
  private static Optional<List<ByteRange>> ranges(
      FileSlice slice, ScanColumns scan, Footer footer) {
    try {
      return footer.ranges(scan, slice.range());
    } catch (RuntimeException | LinkageError e) {
      if (TOLD.compareAndSet(false, true)) {
        LOG.info("Eley cannot tell where the columns of files such as {} are", slice.path(), e);
      }
      return Optional.of(List.of(footer.tail()));
    }
  }

  /** How many ranges each part of the input may have. */
  private static int most(TaskInput input) {
    long each = 0;
    for (TaskInput.Part part : input.parts()) {
      each = Math.max(each, PlanModel.encodedBytes(part.slice()));
    }
    long fit = Math.min(ColumnRanges.MOST, SPLIT_BYTES / Math.max(1, each));
    return (int) Math.max(1, fit / Math.max(1, input.parts().size()));
  }

  private record Slices(List<FileSlice> all, boolean exact) {
    static Slices whole(FileSlice slice) {
      return new Slices(List.of(slice), false);
    }
  }
}
