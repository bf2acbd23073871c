package io.eley.spark.connector.features;

import org.apache.spark.sql.SparkSession;

/**
 * A client of Spark Connect: its queries are planned and run by a server. Arguments: the server's
 * address and URIs of text, of each of which it prints lines, length and hash.
 *
 * <p>It leaves without ending its session: the server would look into Spark's machine learning
 * then, which is not on its class path.
 */
public final class ConnectClient {
  private ConnectClient() {}

  public static void main(String[] args) {
    SparkSession spark = SparkSession.builder().remote(args[0]).getOrCreate();
    for (int i = 1; i < args.length; i++) {
      System.out.println(
          "answer "
              + spark
                  .read()
                  .text(args[i])
                  .selectExpr("count(*)", "sum(length(value))", "bit_xor(xxhash64(value))")
                  .collectAsList());
    }
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }
}
