package io.eley.scheduler.hooks.job;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.fuzz.Input;
import io.eley.fuzz.Scratch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The directive of a job script, in Java and, where Lua is installed, in {@code burst_buffer.lua}:
 * both take the same scripts and refuse the same ones, in the same words.
 */
public final class DirectiveFuzz {
  private static final Optional<LuaDirective> LUA = LuaDirective.start();

  private DirectiveFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    Path script = Scratch.file("job.sh", input);
    String said;
    try {
      Directive.read(script).ifPresent(Directive::describe);
      said = "";
    } catch (EleyException e) {
      Input.require(e.code() == ErrorCode.MALFORMED, "an error that is not MALFORMED: " + e);
      said = e.getMessage() + "";
    }
    if (LUA.isPresent()) {
      String lua = LUA.get().validate(script);
      Input.require(lua.equals(said), "Lua says '" + lua + "', Java '" + said + "'");
    }
  }
}
