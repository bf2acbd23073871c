package io.eley.system;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A long test that shares its builds with others, which say nearly the same: it runs in one of so
 * many builds ({@link Turns}).
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Turns.class)
public @interface InTurn {
  /** Whose turn it is, from 0. */
  int turn();

  /** How many builds have a turn each. */
  int of();
}
