package io.eley.bb.api.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.eley.bb.api.NodeAddress;
import io.eley.bb.api.NodeId;
import io.eley.bb.api.Seed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who is asked to take an output's copies, and who has them in the end. */
class CopyTurnsTest {
  private static NodeAddress node(String name, String machine) {
    return new NodeAddress(new NodeId(name), "host-of-" + name, 7000, machine);
  }

  /** Who takes copies, and who was asked. */
  private record Outcome(List<NodeAddress> taken, List<NodeAddress> asked) {}

  private static Outcome put(List<NodeAddress> ranked, int copies, Set<NodeAddress> withRoom) {
    var outcome = new Outcome(new ArrayList<>(), new ArrayList<>());
    var turns = new CopyTurns(ranked);
    while (outcome.taken.size() < copies) {
      Optional<NodeAddress> next = turns.next();
      if (next.isEmpty()) {
        break;
      }
      outcome.asked.add(next.get());
      if (withRoom.contains(next.get())) {
        turns.took(next.get());
        outcome.taken.add(next.get());
      }
    }
    return outcome;
  }

  @Test
  void theSecondCopyGoesToTheNextMachineAndOnlyWithoutRoomThereToTheSameOne() {
    var a1 = node("a1", "a");
    var a2 = node("a2", "a");
    var b1 = node("b1", "b");
    var c1 = node("c1", "c");
    var ranked = List.of(a1, a2, b1, c1);
    assertThat(put(ranked, 2, Set.copyOf(ranked)).taken).containsExactly(a1, b1);
    assertThat(put(ranked, 2, Set.of(a1, a2, c1)).taken).containsExactly(a1, c1);
    assertThat(put(ranked, 2, Set.of(a1, a2)).asked).containsExactly(a1, b1, c1, a2);
    assertThat(put(ranked, 1, Set.copyOf(ranked)).asked).as("one copy").containsExactly(a1);
  }

  @Test
  void nodesThatDoNotKnowTheirMachineShareTheirHosts() {
    var one = new NodeAddress(new NodeId("one"), "h", 1, "");
    var two = new NodeAddress(new NodeId("two"), "h", 2, "");
    var three = new NodeAddress(new NodeId("three"), "i", 2, "");
    var known = new NodeAddress(new NodeId("known"), "h", 3, "boot");
    assertThat(put(List.of(one, two, three), 2, Set.of(one, two, three)).taken)
        .containsExactly(one, three);
    assertThat(known.sharesMachineWith(one)).isTrue();
    assertThat(known.sharesMachineWith(three)).isFalse();
    assertThat(known.sharesMachineWith(new NodeAddress(new NodeId("other"), "h", 4, "later")))
        .as("containers may have one name for two machines")
        .isFalse();
    var engines = new NodeAddress(new NodeId("e"), "j", 1, NodeAddress.ENGINE);
    assertThat(engines.sharesMachineWith(node("f", NodeAddress.ENGINE))).isFalse();
  }

  @Test
  void copiesLieOnAsManyMachinesAsHaveRoomAndElseOnTheBestNodes() {
    var random = Seed.random("the machines");
    for (int i = 0; i < 3000; i++) {
      List<NodeAddress> ranked = nodes(random);
      int copies = 1 + random.nextInt(3);
      var withRoom = new HashSet<>(ranked);
      withRoom.removeIf(node -> random.nextInt(3) == 0);

      Outcome outcome = put(ranked, copies, withRoom);

      assertThat(outcome.taken).isEqualTo(expected(ranked, copies, withRoom));
      assertThat(outcome.asked).doesNotHaveDuplicates();
      if (outcome.taken.size() < copies) {
        assertThat(outcome.asked).as("nobody left out").hasSameSizeAs(ranked);
      }
      assertThat(machines(outcome.taken))
          .isEqualTo(Math.min(machines(withRoom), outcome.taken.size()));
    }
  }

  private static List<NodeAddress> nodes(Random random) {
    var nodes = new ArrayList<NodeAddress>();
    int machines = 1 + random.nextInt(4);
    for (int n = random.nextInt(8); n > 0; n--) {
      nodes.add(node("n" + n, "m" + random.nextInt(machines)));
    }
    return nodes;
  }

  private static long machines(Iterable<NodeAddress> nodes) {
    var machines = new HashSet<String>();
    nodes.forEach(node -> machines.add(node.machine()));
    return machines.size();
  }

  /**
   * The rule itself, over all nodes at once: the best of each machine, then the best of the rest.
   */
  private static List<NodeAddress> expected(
      List<NodeAddress> ranked, int copies, Set<NodeAddress> withRoom) {
    var taking = ranked.stream().filter(withRoom::contains).toList();
    var machines = new HashSet<String>();
    var inTurn = new ArrayList<>(taking.stream().filter(n -> machines.add(n.machine())).toList());
    taking.stream().filter(n -> !inTurn.contains(n)).forEach(inTurn::add);
    return inTurn.subList(0, Math.min(copies, inTurn.size()));
  }
}
