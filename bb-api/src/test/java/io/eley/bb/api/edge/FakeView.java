package io.eley.bb.api.edge;

import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A file system that holds what a test says. */
final class FakeView implements FileView {
  private final Map<Path, FileFacts> entries = new HashMap<>();
  private final Map<Path, Path> targets = new HashMap<>();

  FakeView directory(String path, int owner, int mode) {
    entries.put(Path.of(path), new FileFacts(FileFacts.Kind.DIRECTORY, owner, mode));
    return this;
  }

  FakeView file(String path, int owner, int mode) {
    entries.put(Path.of(path), new FileFacts(FileFacts.Kind.FILE, owner, mode));
    return this;
  }

  FakeView pipe(String path, int owner) {
    entries.put(Path.of(path), new FileFacts(FileFacts.Kind.OTHER, owner, 0600));
    return this;
  }

  FakeView link(String path, int owner, String target) {
    entries.put(Path.of(path), new FileFacts(FileFacts.Kind.LINK, owner, 0777));
    targets.put(Path.of(path), Path.of(target));
    return this;
  }

  @Override
  public FileFacts look(Path path) throws NoSuchFileException {
    FileFacts facts = entries.get(path);
    if (facts == null) {
      throw new NoSuchFileException(path.toString());
    }
    return facts;
  }

  @Override
  public Path target(Path link) throws NoSuchFileException {
    Path target = targets.get(link);
    if (target == null) {
      throw new NoSuchFileException(link.toString());
    }
    return target;
  }
}
