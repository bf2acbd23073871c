package io.eley.coordinator;

import io.eley.bb.api.config.Settings;
import io.eley.coordinator.config.CoordinatorOptions;
import java.util.HashMap;
import java.util.concurrent.CountDownLatch;

/** A coordinator alone in its JVM; its arguments are settings, {@code KEY=VALUE}. */
final class SmallCoordinatorMain {
  private SmallCoordinatorMain() {}

  public static void main(String[] arguments) throws Exception {
    var settings = new HashMap<String, String>();
    for (String argument : arguments) {
      int sign = argument.indexOf('=');
      settings.put(argument.substring(0, sign), argument.substring(sign + 1));
    }
    try (var server = CoordinatorServer.start(CoordinatorOptions.from(Settings.of(settings)))) {
      System.out.println("listens at " + server.address());
      new CountDownLatch(1).await();
    }
  }
}
