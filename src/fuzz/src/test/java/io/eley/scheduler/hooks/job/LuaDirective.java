package io.eley.scheduler.hooks.job;

import io.eley.fuzz.Input;
import io.eley.fuzz.Scratch;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** {@code burst_buffer.lua} in an interpreter that stays, and is asked for one script at a time. */
final class LuaDirective {
  private static final String LOOP =
      """
      slurm = {SUCCESS = 0, ERROR = -1, log_info = function() end}
      dofile(arg[1])
      for path in io.lines() do
        local code, text = slurm_bb_job_process(path)
        text = code == slurm.SUCCESS and "" or text
        io.write(#text, "\\n", text)
        io.flush()
      end
      """;

  private final OutputStream questions;
  private final DataInputStream answers;

  private LuaDirective(Process process) {
    questions = new BufferedOutputStream(process.getOutputStream());
    answers = new DataInputStream(new java.io.BufferedInputStream(process.getInputStream()));
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
  }

  /** Empty where there is no Lua. */
  static Optional<LuaDirective> start() {
    return Stream.of("lua5.4", "lua5.3", "lua")
        .filter(LuaDirective::installed)
        .findFirst()
        .map(LuaDirective::start);
  }

  private static boolean installed(String name) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, name)));
  }

  private static LuaDirective start(String interpreter) {
    try {
      String ours =
          Files.readString(
              Path.of(System.getProperty("eley.root", "."), "deploy/slurm/burst_buffer.lua"));
      // No pool is known, so that a directive is judged by itself.
      String alone = ours.replaceFirst("(?m)^local state = .*$", "local state = \"/nowhere\"");
      Path script = Scratch.file("burst_buffer.lua", alone.getBytes(StandardCharsets.UTF_8));
      Path loop = Scratch.file("loop.lua", LOOP.getBytes(StandardCharsets.UTF_8));
      return new LuaDirective(
          new ProcessBuilder(interpreter, loop.toString(), script.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What Lua complains of; empty when it takes the script. */
  String validate(Path script) throws IOException {
    questions.write((script + "\n").getBytes(StandardCharsets.UTF_8));
    questions.flush();
    int length = 0;
    for (int digit; (digit = answers.read()) != '\n'; ) {
      if (digit < 0) {
        throw new EOFException("Lua has ended: its script failed");
      }
      length = 10 * length + digit - '0';
    }
    return Input.text(answers.readNBytes(length));
  }
}
