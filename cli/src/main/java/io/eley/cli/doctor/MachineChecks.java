package io.eley.cli.doctor;

import io.eley.bb.api.config.DataSize;
import io.eley.bb.server.node.NodeKeys;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Set;

/** What the machine itself must have. */
final class MachineChecks {
  private static final int OLDEST_JAVA = 17;
  private static final Set<String> IN_RAM = Set.of("tmpfs", "ramfs", "hugetlbfs");

  private MachineChecks() {}

  static Finding java(int feature) {
    return feature >= OLDEST_JAVA
        ? Finding.ok("java", "Java " + feature)
        : Finding.fail("java", "Java " + feature, "set JAVA_HOME to a JDK 17 or newer");
  }

  static Finding ramDisk(Path directory) {
    if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
      return Finding.fail(
          "ram-disk",
          directory + " is no directory that this user can write to",
          "name another one by --ram-disk");
    }
    try {
      FileStore store = Files.getFileStore(directory);
      long free = store.getUsableSpace();
      String there = directory + ", " + store.type() + ", " + (free >> 20) + "m free";
      DataSize wanted = NodeKeys.MEMORY.defaultValue();
      if (!IN_RAM.contains(store.type())) {
        return Finding.warn(
            "ram-disk", there, "that is no RAM: blocks would be read from it at its own speed");
      }
      return free >= wanted.bytes()
          ? Finding.ok("ram-disk", there)
          : Finding.warn("ram-disk", there, "a node takes " + wanted + ": give --memory less");
    } catch (IOException e) {
      return Finding.fail("ram-disk", "cannot look at " + directory + ": " + e.getMessage(), "");
    }
  }

  /** A job's control group may hold less than the RAM-disk seems to have. */
  static Finding memory(Memory memory) {
    if (memory.mostBytes().isEmpty()) {
      return Finding.ok("memory", "how much is available is not known here");
    }
    String there =
        memory.availableBytes().isPresent()
            ? (memory.availableBytes().getAsLong() >> 20) + "m available"
            : "available: not known";
    String limit =
        memory.limitBytes().isPresent()
            ? ", " + (memory.limitBytes().getAsLong() >> 20) + "m in this control group"
            : ", no limit by a control group";
    DataSize wanted = NodeKeys.MEMORY.defaultValue();
    return memory.mostBytes().getAsLong() >= wanted.bytes()
        ? Finding.ok("memory", there + limit)
        : Finding.warn("memory", there + limit, "a node takes " + wanted + ": give --memory less");
  }

  /** Bytes that nodes may take on a RAM-disk. */
  static OptionalLong room(Path ramDisk, Memory memory) {
    try {
      long free = Files.getFileStore(ramDisk).getUsableSpace();
      return OptionalLong.of(Math.min(free, memory.mostBytes().orElse(free)));
    } catch (IOException e) {
      return memory.mostBytes();
    }
  }

  /** Many sites turn user namespaces off, and ask. */
  static Finding rights(String user) {
    return Finding.ok("rights", "as " + user + "; neither root nor user namespaces are needed");
  }
}
