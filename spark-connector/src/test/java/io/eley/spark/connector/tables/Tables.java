package io.eley.spark.connector.tables;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The eight tables of TPC-H by name, column and relation, at about a thirtieth of its least size.
 * The contents are our own: each value is a hash of its row's number, so that every Spark makes the
 * same ones.
 */
final class Tables {
  private static final int ORDERS = 45_000;
  private static final int CUSTOMERS = ORDERS / 10;
  private static final int PARTS = 6_000;
  private static final int SUPPLIERS = 300;

  /** Several row groups, or stripes, in the large tables' files. */
  private static final int ROW_GROUP_BYTES = 4 << 20;

  private static final String REGIONS = "AFRICA AMERICA ASIA EUROPE MIDDLE_EAST";
  private static final String NATIONS =
      "ALGERIA ARGENTINA BRAZIL CANADA EGYPT ETHIOPIA FRANCE GERMANY INDIA INDONESIA IRAN IRAQ"
          + " JAPAN JORDAN KENYA MOROCCO MOZAMBIQUE PERU CHINA ROMANIA SAUDI_ARABIA VIETNAM RUSSIA"
          + " UNITED_KINGDOM UNITED_STATES";
  private static final String REGION_OF_NATION =
      "element_at(array(0,1,1,1,4,0,3,3,2,2,4,4,2,4,0,0,0,1,2,3,4,2,3,3,1), cast(id as int) + 1)";
  private static final String COLOURS =
      "almond azure beige blue brown coral cream cyan firebrick forest frosted ghost gold green"
          + " grey indian ivory khaki lace lemon linen maroon navy olive orange peru pink plum red";
  private static final String WORDS =
      "quick slow final bold regular special ironic express silent even pending requests deposits"
          + " packages accounts theories ideas pearls foxes above along haggle sleep nag";
  private static final String LAST_DAY = "date '1995-06-17'";

  private Tables() {}

  /** Each table by its name. */
  static Map<String, Dataset<Row>> all(SparkSession spark) {
    var tables = new LinkedHashMap<String, Dataset<Row>>();
    tables.put("region", region(spark));
    tables.put("nation", nation(spark));
    tables.put("supplier", supplier(spark));
    tables.put("customer", customer(spark));
    tables.put("part", part(spark));
    tables.put("partsupp", partsupp(spark));
    tables.put("orders", orders(spark));
    tables.put("lineitem", lineitem(spark));
    return tables;
  }

  /** Writes all tables below a directory. */
  static void write(SparkSession spark, String format, String directory) {
    all(spark)
        .forEach(
            (name, rows) ->
                rows.write()
                    .option("parquet.block.size", ROW_GROUP_BYTES)
                    .option("orc.stripe.size", ROW_GROUP_BYTES)
                    .format(format)
                    .save(directory + "/" + name));
  }

  static List<String> names() {
    return List.of(
        "region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem");
  }

  private static Dataset<Row> region(SparkSession spark) {
    return rows(
        spark, 5, 1, "id as r_regionkey", nth(REGIONS, "id") + " as r_name", text(1, "r_comment"));
  }

  private static Dataset<Row> nation(SparkSession spark) {
    return rows(
        spark,
        25,
        1,
        "id as n_nationkey",
        nth(NATIONS, "id") + " as n_name",
        "cast(" + REGION_OF_NATION + " as bigint) as n_regionkey",
        text(2, "n_comment"));
  }

  private static Dataset<Row> supplier(SparkSession spark) {
    return rows(
        spark,
        SUPPLIERS,
        1,
        "id + 1 as s_suppkey",
        "concat('Supplier#', lpad(id + 1, 9, '0')) as s_name",
        "hex(xxhash64(id, 10)) as s_address",
        any(11, 25) + " as s_nationkey",
        phone(11, "s_phone"),
        money(12, -99_999, 999_999) + " as s_acctbal",
        "if("
            + any(13, 20)
            + " = 0, 'Customer with Complaints', "
            + comment(14)
            + ") as s_comment");
  }

  private static Dataset<Row> customer(SparkSession spark) {
    return rows(
        spark,
        CUSTOMERS,
        1,
        "id + 1 as c_custkey",
        "concat('Customer#', lpad(id + 1, 9, '0')) as c_name",
        "hex(xxhash64(id, 20)) as c_address",
        any(21, 25) + " as c_nationkey",
        phone(21, "c_phone"),
        money(22, -99_999, 999_999) + " as c_acctbal",
        nth("AUTOMOBILE BUILDING FURNITURE MACHINERY HOUSEHOLD", any(23, 5)) + " as c_mktsegment",
        text(24, "c_comment"));
  }

  private static Dataset<Row> part(SparkSession spark) {
    String type =
        "concat_ws(' ', "
            + nth("STANDARD SMALL MEDIUM LARGE ECONOMY PROMO", any(33, 6))
            + ", "
            + nth("ANODIZED BURNISHED PLATED POLISHED BRUSHED", any(34, 5))
            + ", "
            + nth("TIN NICKEL BRASS STEEL COPPER", any(35, 5))
            + ") as p_type";
    String container =
        "concat_ws(' ', "
            + nth("SM LG MED JUMBO WRAP", any(37, 5))
            + ", "
            + nth("CASE BOX BAG JAR PKG PACK CAN DRUM", any(38, 8))
            + ") as p_container";
    return rows(
        spark,
        PARTS,
        1,
        "id + 1 as p_partkey",
        "concat_ws(' ', " + colour(30) + ", " + colour(39) + ", " + colour(40) + ") as p_name",
        "concat('Manufacturer#', " + any(31, 5) + " + 1) as p_mfgr",
        "concat('Brand#', " + any(31, 5) + " + 1, " + any(32, 5) + " + 1) as p_brand",
        type,
        "cast(" + any(36, 50) + " + 1 as int) as p_size",
        container,
        retailPrice("id") + " as p_retailprice",
        text(41, "p_comment"));
  }

  /** Four suppliers for each part. */
  private static Dataset<Row> partsupp(SparkSession spark) {
    return rows(
        spark,
        4 * PARTS,
        1,
        "id div 4 + 1 as ps_partkey",
        sellerOf("id div 4", "id % 4") + " as ps_suppkey",
        "cast(" + any(50, 9_999) + " + 1 as int) as ps_availqty",
        money(51, 100, 100_000) + " as ps_supplycost",
        text(52, "ps_comment"));
  }

  /** Every third customer never orders. */
  private static Dataset<Row> orders(SparkSession spark) {
    String buyer = any(61, CUSTOMERS * 2 / 3);
    String day = orderDay("id");
    return rows(
        spark,
        ORDERS,
        2,
        "id + 1 as o_orderkey",
        buyer + " div 2 * 3 + " + buyer + " % 2 + 1 as o_custkey",
        "case when date_add(%s, 121) <= %s then 'F' when %s > %s then 'O' else 'P' end"
                .formatted(day, LAST_DAY, day, LAST_DAY)
            + " as o_orderstatus",
        money(62, 100_000, 50_000_000) + " as o_totalprice",
        day + " as o_orderdate",
        nth("1-URGENT 2-HIGH 3-MEDIUM 4-NOT_SPECIFIED 5-LOW", any(63, 5)) + " as o_orderpriority",
        "concat('Clerk#', lpad(" + any(64, 100) + ", 9, '0')) as o_clerk",
        "0 as o_shippriority",
        text(65, "o_comment"));
  }

  /** One to seven lines for each order. */
  private static Dataset<Row> lineitem(SparkSession spark) {
    String order = "id div 7";
    return spark
        .range(0, 7L * ORDERS, 1, 2)
        .where("id % 7 <= pmod(xxhash64(id div 7, 70), 7)")
        .selectExpr(
            "id",
            order + " as line_order",
            any(71, PARTS) + " as line_part",
            any(72, 50) + " + 1 as pieces",
            orderDay(order) + " as ordered",
            "date_add(" + orderDay(order) + ", cast(" + any(73, 121) + " + 1 as int)) as shipped")
        .selectExpr("*", "date_add(shipped, cast(" + any(74, 30) + " + 1 as int)) as received")
        .selectExpr(
            "line_order + 1 as l_orderkey",
            "line_part + 1 as l_partkey",
            sellerOf("line_part", any(75, 4)) + " as l_suppkey",
            "cast(id % 7 + 1 as int) as l_linenumber",
            "cast(pieces as decimal(12,2)) as l_quantity",
            "cast(pieces * " + retailPrice("line_part") + " as decimal(12,2)) as l_extendedprice",
            "cast(" + any(76, 11) + " * 0.01 as decimal(12,2)) as l_discount",
            "cast(" + any(77, 9) + " * 0.01 as decimal(12,2)) as l_tax",
            "if(received > " + LAST_DAY + ", 'N', " + nth("R A", any(78, 2)) + ") as l_returnflag",
            "if(shipped > " + LAST_DAY + ", 'O', 'F') as l_linestatus",
            "shipped as l_shipdate",
            "date_add(ordered, cast(" + any(79, 61) + " + 30 as int)) as l_commitdate",
            "received as l_receiptdate",
            nth("DELIVER_IN_PERSON COLLECT_COD NONE TAKE_BACK_RETURN", any(80, 4))
                + " as l_shipinstruct",
            nth("REG_AIR AIR RAIL SHIP TRUCK MAIL FOB", any(81, 7)) + " as l_shipmode",
            text(82, "l_comment"));
  }

  private static Dataset<Row> rows(SparkSession spark, int count, int files, String... columns) {
    return spark.range(0, count, 1, files).selectExpr(columns);
  }

  /** A number from 0 to {@code bound}, exclusive. */
  private static String any(int salt, int bound) {
    return "pmod(xxhash64(id, " + salt + "), " + bound + ")";
  }

  private static String money(int salt, int leastCents, int mostCents) {
    return "cast((%s + %d) * 0.01 as decimal(12,2))"
        .formatted(any(salt, mostCents - leastCents + 1), leastCents);
  }

  /** One of some words; an underscore is a space in it. */
  private static String nth(String words, String index) {
    String list = "'" + words.replace(" ", "','").replace('_', ' ') + "'";
    return "element_at(array(" + list + "), cast(" + index + " as int) + 1)";
  }

  private static String colour(int salt) {
    return nth(COLOURS, any(salt, COLOURS.split(" ").length));
  }

  private static String text(int salt, String column) {
    return comment(salt) + " as " + column;
  }

  private static String comment(int salt) {
    int words = WORDS.split(" ").length;
    String of = nth(WORDS, any(salt * 100, words));
    for (int i = 1; i < 4; i++) {
      of += ", " + nth(WORDS, any(salt * 100 + i, words));
    }
    return "concat_ws(' ', " + of + ")";
  }

  private static String phone(int nationSalt, String column) {
    return "concat("
        + any(nationSalt, 25)
        + " + 10, '-', abs(xxhash64(id) % 10000000)) as "
        + column;
  }

  private static String retailPrice(String part) {
    return "cast((90000 + pmod(xxhash64(" + part + ", 42), 110000)) * 0.01 as decimal(12,2))";
  }

  private static String sellerOf(String part, String nth) {
    return "pmod(%s + %s * %d, %d) + 1".formatted(part, nth, SUPPLIERS / 4, SUPPLIERS);
  }

  private static String orderDay(String order) {
    return "date_add(date '1992-01-01', cast(pmod(xxhash64(" + order + ", 60), 2405) as int))";
  }
}
