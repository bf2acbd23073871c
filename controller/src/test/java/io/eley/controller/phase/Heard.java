package io.eley.controller.phase;

import java.util.ArrayList;
import java.util.List;

/** Remembers what it hears. */
final class Heard implements PhaseListener {
  record Closed(Evidence phase, long at, Ending why) {}

  final List<Evidence> opened = new ArrayList<>();
  final List<Closed> closed = new ArrayList<>();

  @Override
  public void opened(Evidence phase) {
    opened.add(phase);
  }

  @Override
  public void closed(Evidence phase, long at, Ending why) {
    closed.add(new Closed(phase, at, why));
  }
}
