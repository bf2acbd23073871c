package io.eley.chaos;

import java.util.Locale;

/** A bad thing that happens to a deployment. */
enum Fault {
  KILL_NODE,
  KILL_COORDINATOR,
  FREEZE_NODE,
  FREEZE_COORDINATOR,
  FLIP_BIT,
  REPLACE_FILE,
  FILL_RAM_DISK,
  DROP_NODE,
  DROP_COORDINATOR,
  SET_NODE_CLOCK,
  SET_COORDINATOR_CLOCK;

  /** For people: the name in small letters. */
  String words() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
