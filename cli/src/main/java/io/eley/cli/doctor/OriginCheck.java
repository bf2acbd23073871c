package io.eley.cli.doctor;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.origin.GuardedOrigin;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.origin.Origins;
import io.eley.cli.render.Plural;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whether the origin answers, tells versions apart, and has the time that this machine has. */
final class OriginCheck {
  private static final Duration DEADLINE = Duration.ofSeconds(5);
  private static final int TRIES = 5;

  /** Deployments compare what they move by their hosts' clocks. */
  private static final long CLOCKS_APART_MILLIS = 1000;

  private OriginCheck() {}

  static List<Finding> of(Optional<String> address, String classPath) {
    if (address.isEmpty()) {
      return List.of(Finding.warn("origin", "not looked at", "name it by --origin"));
    }
    try (var guard = new GuardedOrigin("eley-doctor", 2, DEADLINE)) {
      return guard.call("look at " + address.get(), () -> look(address.get(), classPath));
    } catch (EleyException e) {
      return List.of(
          Finding.fail("origin", e.getMessage() + "", "no deployment starts without it"));
    }
  }

  private static List<Finding> look(String address, String classPath) throws EleyException {
    try (Origin origin = Origins.open(address, "doctor", classPath)) {
      var findings = new ArrayList<Finding>();
      long began = System.nanoTime();
      List<OriginStatus> children = origin.list("/");
      double millis = (System.nanoTime() - began) / 1e6;
      findings.add(
          Finding.ok(
              "origin",
              String.format(
                  Locale.ROOT,
                  "%s lists %s in %.1f ms",
                  origin.address(),
                  Plural.of(children.size(), "name"),
                  millis)));
      directory(origin.address()).map(OriginKind::of).ifPresent(findings::add);
      children.stream()
          .filter(child -> !child.directory())
          .findFirst()
          .ifPresent(file -> findings.add(versions(origin, file)));
      directory(origin.address()).flatMap(OriginCheck::clock).ifPresent(findings::add);
      return findings;
    }
  }

  /** A version that is another one at each look would never be found in RAM. */
  private static Finding versions(Origin origin, OriginStatus first) {
    try {
      for (int i = 0; i < TRIES; i++) {
        if (!origin.stat(first.path()).version().equals(first.version())) {
          return Finding.warn(
              "versions",
              first.path() + " is another version at each look",
              "unless somebody writes it, nothing of this origin can be kept in RAM");
        }
      }
    } catch (EleyException e) {
      return Finding.warn("versions", e.getMessage() + "", "");
    }
    boolean inode = first.version().stamp().inode() != 0;
    boolean changed = first.version().stamp().changedNanos() != 0;
    return Finding.ok(
        "versions",
        "by length and modification time"
            + (inode ? ", inode" : ", no inode")
            + (changed ? " and change time" : ", no change time"));
  }

  private static Optional<Path> directory(String address) {
    return address.startsWith("/") || address.startsWith("file:/")
        ? Optional.of(Path.of(Origins.path(address)))
        : Optional.empty();
  }

  /** The time of a file that is made and removed; nothing where none may be made. */
  private static Optional<Finding> clock(Path directory) {
    if (!Files.isWritable(directory)) {
      return Optional.empty();
    }
    try {
      long before = System.currentTimeMillis();
      Path made = Files.createTempFile(directory, ".eley-doctor-", "");
      long after = System.currentTimeMillis();
      long at;
      try {
        at = Files.getLastModifiedTime(made).toMillis();
      } finally {
        Files.delete(made);
      }
      return Optional.of(clock(before, at, after));
    } catch (IOException e) {
      return Optional.of(
          Finding.warn("clock", "the origin takes no file: " + e.getMessage(), "is it full?"));
    }
  }

  /** Compares the origin's time of a file with when it was made here, milliseconds. */
  static Finding clock(long before, long at, long after) {
    long apart = Math.max(0, Math.max(before - at, at - after));
    return apart <= CLOCKS_APART_MILLIS
        ? Finding.ok("clock", "the origin's is this machine's, within a second")
        : Finding.warn(
            "clock",
            "the origin's is " + apart / 1000 + " s from this machine's",
            "set them by NTP: deployments on several hosts take each other for HPC applications");
  }
}
