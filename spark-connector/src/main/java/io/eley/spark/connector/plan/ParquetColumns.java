package io.eley.spark.connector.plan;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.execution.datasources.parquet.ParquetReadSupport;
import org.apache.spark.sql.types.StructType;

/**
 * Which columns of a Parquet file Spark reads for a scan: it is asked itself, by the method with
 * which its readers prune nested columns. That method has one flag more since 4.1, so it is looked
 * up by name.
 *
 * <p>What the session is set to is not known here. Names are matched regardless of case as far as
 * the file has no two that differ by it only; columns with a field id are matched by it and by
 * name.
 */
final class ParquetColumns {
  private static final Method CLIP =
      Stream.of(ParquetReadSupport.class.getMethods())
          .filter(m -> m.getName().equals("clipParquetSchema"))
          .filter(m -> Modifier.isStatic(m.getModifiers()) && m.getParameterCount() >= 4)
          .findFirst()
          .orElseThrow(() -> new LinkageError("this Spark has no clipParquetSchema"));

  private ParquetColumns() {}

  static Set<ColumnPath> leaves(MessageType file, ScanColumns scan) {
    var leaves = new HashSet<ColumnPath>();
    addLeaves(file, scan.schema(), false, leaves);
    if (scan.byFieldId()) {
      addLeaves(file, scan.schema(), true, leaves);
    }
    return leaves;
  }

  private static void addLeaves(
      MessageType file, StructType schema, boolean byId, Set<ColumnPath> into) {
    MessageType clipped;
    try {
      clipped = clip(file, schema, false, byId);
    } catch (IllegalArgumentException e) {
      clipped = clip(file, schema, true, byId);
    }
    clipped.getPaths().forEach(path -> into.add(ColumnPath.get(path)));
  }

  /** Fails with an IllegalArgumentException when Spark fails. */
  private static MessageType clip(
      MessageType file, StructType schema, boolean caseSensitive, boolean byId) {
    var arguments = new Object[CLIP.getParameterCount()];
    Arrays.fill(arguments, false);
    arguments[0] = file;
    arguments[1] = schema;
    arguments[2] = caseSensitive;
    arguments[3] = byId;
    try {
      return (MessageType) CLIP.invoke(null, arguments);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
