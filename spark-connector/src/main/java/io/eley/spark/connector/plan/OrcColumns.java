package io.eley.spark.connector.plan;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.orc.TypeDescription;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Which columns of an ORC file Spark reads for a schema: fields are matched by name, regardless of
 * case if there is none of the same case, and what lies above a wanted column is read with it.
 */
final class OrcColumns {
  /** Names that old versions of Hive wrote: their columns are known by position only. */
  private static final Pattern NAMELESS = Pattern.compile("_col\\d+");

  private OrcColumns() {}

  /** Ids of the columns, or empty when they cannot be told by name. */
  static Optional<BitSet> ids(TypeDescription file, StructType schema) {
    List<String> names = file.getFieldNames();
    if (names == null || names.stream().allMatch(n -> NAMELESS.matcher(n).matches())) {
      return Optional.empty();
    }
    var ids = new BitSet();
    add(file, schema, ids);
    return Optional.of(ids);
  }

  private static void add(TypeDescription file, DataType wanted, BitSet ids) {
    ids.set(file.getId());
    var category = file.getCategory();
    if (wanted instanceof StructType struct && category == TypeDescription.Category.STRUCT) {
      for (StructField field : struct.fields()) {
        int child = find(file.getFieldNames(), field.name());
        if (child >= 0) {
          add(file.getChildren().get(child), field.dataType(), ids);
        }
      }
    } else if (wanted instanceof ArrayType array && category == TypeDescription.Category.LIST) {
      add(file.getChildren().get(0), array.elementType(), ids);
    } else if (wanted instanceof MapType map && category == TypeDescription.Category.MAP) {
      add(file.getChildren().get(0), map.keyType(), ids);
      add(file.getChildren().get(1), map.valueType(), ids);
    } else {
      ids.set(file.getId(), file.getMaximumId() + 1);
    }
  }

  private static int find(List<String> names, String wanted) {
    int exact = names.indexOf(wanted);
    for (int i = 0; exact < 0 && i < names.size(); i++) {
      exact = names.get(i).equalsIgnoreCase(wanted) ? i : exact;
    }
    return exact;
  }
}
