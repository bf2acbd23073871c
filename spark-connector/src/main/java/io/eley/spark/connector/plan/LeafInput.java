package io.eley.spark.connector.plan;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.input.CombineFileSplit;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.spark.Partition;
import org.apache.spark.rdd.HadoopPartition;
import org.apache.spark.rdd.NewHadoopPartition;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.PartitionedFile;

/**
 * Finds what a leaf's partition reads. One method for each kind of leaf. Not safe for several
 * threads.
 */
final class LeafInput {
  private static final String V2_PARTITION =
      "org.apache.spark.sql.execution.datasources.v2.DataSourceRDDPartition";

  /**
   * One of a leaf: its files wait with it for their footers, and a wide one takes 4 KB and more.
   */
  private final Map<Scan, Optional<ScanColumns>> scans = new HashMap<>();

  /** Files of a leaf that have as many columns of their partition. */
  private record Scan(int leaf, int partitionColumns) {}

  /**
   * A piece of a file, by Hadoop's path.
   *
   * @param columns what is read of it if the file is columnar
   */
  record Piece(Path file, ByteRange range, Optional<TaskInput.Columns> columns) {
    Piece(Path file, ByteRange range) {
      this(file, range, Optional.empty());
    }

    TaskInput.Part part(String originPath) {
      return new TaskInput.Part(new FileSlice(originPath, range), columns);
    }
  }

  /**
   * Adds the pieces of a leaf partition.
   *
   * @return whether it is a kind of leaf that reads files
   */
  boolean read(RDD<?> leaf, Partition partition, List<Piece> into) {
    if (partition instanceof HadoopPartition hadoop) {
      return oldSplit(hadoop.inputSplit().value(), into);
    }
    if (partition instanceof NewHadoopPartition hadoop) {
      return newSplit(hadoop.serializableHadoopSplit().value(), into);
    }
    if (partition instanceof FilePartition files) {
      return files(files, leaf, into);
    }
    if (partition.getClass().getName().equals(V2_PARTITION)) {
      return dataSource(partition, leaf, into);
    }
    return false;
  }

  private static boolean oldSplit(org.apache.hadoop.mapred.InputSplit split, List<Piece> into) {
    if (split instanceof org.apache.hadoop.mapred.FileSplit file) {
      into.add(new Piece(file.getPath(), new ByteRange(file.getStart(), file.getLength())));
      return true;
    }
    return split instanceof org.apache.hadoop.mapred.lib.CombineFileSplit many
        && combined(many, into);
  }

  private static boolean newSplit(org.apache.hadoop.mapreduce.InputSplit split, List<Piece> into) {
    if (split instanceof FileSplit file) {
      into.add(new Piece(file.getPath(), new ByteRange(file.getStart(), file.getLength())));
      return true;
    }
    return split instanceof CombineFileSplit many && combined(many, into);
  }

  private static boolean combined(CombineFileSplit split, List<Piece> into) {
    for (int i = 0; i < split.getNumPaths(); i++) {
      into.add(new Piece(split.getPath(i), new ByteRange(split.getOffset(i), split.getLength(i))));
    }
    return true;
  }

  private boolean files(FilePartition partition, RDD<?> leaf, List<Piece> into) {
    for (PartitionedFile file : partition.files()) {
      var range = new ByteRange(file.start(), file.length());
      into.add(new Piece(file.toPath(), range, columns(file, leaf)));
    }
    return true;
  }

  /** Readers of other formats that share Spark's class may leave out the file's length. */
  private Optional<TaskInput.Columns> columns(PartitionedFile file, RDD<?> leaf) {
    if (file.fileSize() <= 0) {
      return Optional.empty();
    }
    var version = new ColumnarFile(file.toPath(), file.fileSize(), file.modificationTime());
    return scans
        .computeIfAbsent(
            new Scan(leaf.id(), file.partitionValues().numFields()),
            scan -> ScanColumns.of(leaf).map(all -> all.inFile(scan.partitionColumns)))
        .map(scan -> new TaskInput.Columns(version, scan));
  }

  /**
   * The accessor is called inputPartitions in 3.5 to 4.1 and gives one partition in some releases,
   * several in others.
   */
  private boolean dataSource(Partition partition, RDD<?> leaf, List<Piece> into) {
    for (Object input : inputPartitions(partition)) {
      if (input instanceof FilePartition file) {
        files(file, leaf, into);
      }
    }
    return true;
  }

  private static Collection<?> inputPartitions(Partition partition) {
    for (String accessor : List.of("inputPartitions", "inputPartition")) {
      try {
        Method method = partition.getClass().getMethod(accessor);
        Object value = method.invoke(partition);
        if (value instanceof scala.collection.Seq<?> several) {
          return ScalaMethods.list(several);
        }
        if (value instanceof scala.Option<?> option) {
          return option.isDefined() ? List.of(option.get()) : List.of();
        }
        return List.of(value);
      } catch (NoSuchMethodException e) {
        // This Spark release has the other name.
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IllegalStateException("cannot ask " + partition.getClass() + " for its input", e);
      }
    }
    throw new IllegalStateException("unknown shape of " + partition.getClass());
  }
}
