package io.eley.spark.connector.shuffle;

import io.eley.bb.api.client.ScratchOutputs.Place;
import java.util.List;
import java.util.Optional;
import org.apache.spark.storage.BlockManagerId;
import scala.Option;

/**
 * Where an output's second copy is, written into the address of its first: Spark carries an address
 * with the map status to the driver and to every reader, and asks for its {@code topologyInfo} only
 * where it replicates cached blocks, which nodes of the buffer do not hold.
 */
final class SecondCopy {
  private static final String MARK = "eley-copy";

  private SecondCopy() {}

  /** The address of an output that lies at these places, of which there is at least one. */
  static BlockManagerId address(List<Place> places) {
    Option<String> second = places.size() < 2 ? Option.empty() : Option.apply(text(places.get(1)));
    return address(places.get(0), second);
  }

  private static BlockManagerId address(Place place, Option<String> second) {
    return BlockManagerId.apply(
        place.service().executor(), host(place), place.service().port(), second);
  }

  /** Spark takes IPv6 addresses in brackets alone; otherwise an assertion ends the task. */
  private static String host(Place place) {
    String host = place.node().host();
    return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
  }

  private static String text(Place place) {
    return String.join(
        " ",
        MARK,
        place.service().executor(),
        host(place),
        Integer.toString(place.service().port()));
  }

  /** The address of the second copy, or empty when there is none. */
  static Optional<BlockManagerId> of(BlockManagerId address) {
    String[] words = address.topologyInfo().getOrElse(() -> "").split(" ", -1);
    if (words.length != 4 || !words[0].equals(MARK)) {
      return Optional.empty();
    }
    int port = Integer.parseInt(words[3]);
    return Optional.of(BlockManagerId.apply(words[1], words[2], port, Option.empty()));
  }
}
