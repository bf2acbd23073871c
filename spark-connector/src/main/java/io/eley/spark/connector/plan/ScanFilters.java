package io.eley.spark.connector.plan;

import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.sources.Filter;

/**
 * The filters that Spark has pushed down to a reader of files (V1). They are in no accessor, but
 * the reader is a lambda that is sent to executors, so what it has captured can be asked for as
 * serialization does. Without an answer there are no filters: more is planned.
 */
final class ScanFilters {
  private ScanFilters() {}

  static List<Filter> of(Object reader) {
    try {
      Method replace = reader.getClass().getDeclaredMethod("writeReplace");
      if (replace.trySetAccessible() && replace.invoke(reader) instanceof SerializedLambda sent) {
        return captured(sent);
      }
      return List.of();
    } catch (ReflectiveOperationException e) {
      return List.of();
    }
  }

  private static List<Filter> captured(SerializedLambda sent) {
    var filters = new ArrayList<Filter>();
    for (int i = 0; i < sent.getCapturedArgCount(); i++) {
      if (sent.getCapturedArg(i) instanceof scala.collection.Seq<?> several) {
        for (Object each : ScalaMethods.list(several)) {
          if (each instanceof Filter filter) {
            filters.add(filter);
          }
        }
      }
    }
    return filters;
  }
}
