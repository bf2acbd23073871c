package io.eley.controller.board;

import io.eley.bb.api.RecentMap;
import io.eley.controller.phase.Evidence;
import java.util.Map;

/**
 * Which names of applications a user may see: those of his own jobs, unless the operator shows all.
 * What is hidden is {@link Evidence#SOMEBODY}'s.
 *
 * <p>Not thread-safe.
 */
final class Names {
  /** Of so many applications it is remembered whose they are: forecasts outlive their jobs. */
  private static final int REMEMBERED = 10_000;

  private final boolean all;

  private final Map<String, String> owners = new RecentMap<>(REMEMBERED);

  Names(boolean all) {
    this.all = all;
  }

  /** Notes whose some applications are: users by applications. */
  void note(Map<String, String> users) {
    owners.putAll(users);
  }

  /** The name by which a user knows an application. */
  String of(String application, String user) {
    return all || user.equals(owners.get(application)) ? application : Evidence.SOMEBODY;
  }
}
