package io.eley.prefetcher.control;

/** A rule that turns what is known about phases into permits. Pure. */
public sealed interface Operator
    permits NoAction, FullDelay, PartialDelay, ScaleDown, ScaleUp, Chooser {
  /** One word for logs and reports. */
  String label();

  Decision decide(Conditions conditions);
}
