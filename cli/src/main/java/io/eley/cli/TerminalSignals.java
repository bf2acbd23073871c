package io.eley.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Leaves Ctrl-C to the command that runs in our terminal: the terminal sends it to both, and an
 * interactive shell goes on after it. The JDK has this only in a class without a supported name, so
 * it is called by that name; where it is missing, Ctrl-C ends both.
 */
final class TerminalSignals {
  private TerminalSignals() {}

  /** From now on an INT does nothing to this process; the commands it starts have their default. */
  static void leaveInterruptsToOthers() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      InvocationHandler nothing = (proxy, method, arguments) -> null;
      Object ignoring =
          Proxy.newProxyInstance(
              TerminalSignals.class.getClassLoader(), new Class<?>[] {handler}, nothing);
      Object interrupt = signal.getConstructor(String.class).newInstance("INT");
      signal.getMethod("handle", signal, handler).invoke(null, interrupt, ignoring);
    } catch (ReflectiveOperationException e) {
      // As the class comment says.
    }
  }
}
