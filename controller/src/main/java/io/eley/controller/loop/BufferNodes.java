package io.eley.controller.loop;

import io.eley.bb.api.NodeId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * All nodes of the buffer as the loops know them: whom to grant a permit, what each has confirmed,
 * and what it has moved. Not thread-safe: the loops' thread owns it.
 */
final class BufferNodes {
  private final Map<NodeId, NodeAccount> accounts = new TreeMap<>();
  private int tests;

  /** Adds a node; one of the same id begins anew. */
  NodeAccount add(BufferNode node) {
    var account = new NodeAccount(node);
    accounts.put(node.id(), account);
    return account;
  }

  void remove(NodeId node) {
    accounts.remove(node);
  }

  Collection<NodeAccount> all() {
    return accounts.values();
  }

  Optional<NodeAccount> find(NodeId node) {
    return Optional.ofNullable(accounts.get(node));
  }

  /** All nodes' ids. */
  Set<NodeId> ids() {
    return Set.copyOf(accounts.keySet());
  }

  int count() {
    return accounts.size();
  }

  /**
   * The node whose turn it is to test the origin, of those that hold: one that is known to have a
   * fetch to test it with, or else any, since their last report may be old.
   */
  Optional<NodeAccount> nextToTest() {
    var holding = accounts.values().stream().filter(NodeAccount::holds).toList();
    var able = holding.stream().filter(a -> a.moved().waitingFetches() > 0).toList();
    var choice = able.isEmpty() ? holding : able;
    return choice.isEmpty() ? Optional.empty() : Optional.of(choice.get(tests++ % choice.size()));
  }

  /** Whether there are nodes and each has confirmed that it holds. */
  boolean allHold() {
    return !accounts.isEmpty() && accounts.values().stream().allMatch(NodeAccount::holds);
  }

  /** How many have confirmed that they hold. */
  int holding() {
    return (int) accounts.values().stream().filter(NodeAccount::holds).count();
  }

  /** What all have read from the origin, in bytes. */
  long originTotal() {
    return accounts.values().stream().mapToLong(a -> a.moved().originTotal()).sum();
  }

  /** Whether any has a fetch that waits for a permit or a fetcher. */
  boolean fetchesWait() {
    return accounts.values().stream().anyMatch(a -> a.moved().waitingFetches() > 0);
  }

  /** The nodes that have left a permit unanswered for longer than that. */
  List<NodeId> silent(Duration longerThan, long now) {
    return accounts.values().stream()
        .filter(a -> a.silentNanos(now) > longerThan.toNanos())
        .map(NodeAccount::id)
        .toList();
  }
}
