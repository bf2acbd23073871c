package io.eley.bb.server.store;

import io.eley.bb.api.error.EleyException;
import java.nio.file.Path;

/** A process that tries to open a store. */
final class OpenStoreMain {
  private OpenStoreMain() {}

  public static void main(String[] arguments) {
    try (var directory = StoreDirectory.open(Path.of(arguments[0]))) {
      System.out.println("opened " + directory.nodeId());
    } catch (EleyException e) {
      System.out.println(e.code() + " " + e.getMessage());
      System.exit(1);
    }
  }
}
