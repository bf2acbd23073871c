package io.eley.bb.api.edge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/** Where the rule about paths gets its facts from: the port to the file system. */
interface FileView {
  /**
   * The facts of an entry, a link not followed.
   *
   * @throws java.nio.file.NoSuchFileException when there is none
   */
  FileFacts look(Path path) throws IOException;

  /** What a link holds. */
  Path target(Path link) throws IOException;

  /** This machine's file system. Blocks for a system call each. */
  static FileView ofThisMachine() {
    return new FileView() {
      @Override
      public FileFacts look(Path path) throws IOException {
        Map<String, Object> found =
            Files.readAttributes(
                path,
                "unix:uid,mode,isDirectory,isRegularFile,isSymbolicLink",
                LinkOption.NOFOLLOW_LINKS);
        return new FileFacts(
            kind(found),
            ((Number) found.getOrDefault("uid", -1)).intValue(),
            ((Number) found.getOrDefault("mode", -1)).intValue());
      }

      @Override
      public Path target(Path link) throws IOException {
        return Files.readSymbolicLink(link);
      }
    };
  }

  private static FileFacts.Kind kind(Map<String, Object> found) {
    if (Boolean.TRUE.equals(found.get("isSymbolicLink"))) {
      return FileFacts.Kind.LINK;
    }
    if (Boolean.TRUE.equals(found.get("isDirectory"))) {
      return FileFacts.Kind.DIRECTORY;
    }
    return Boolean.TRUE.equals(found.get("isRegularFile"))
        ? FileFacts.Kind.FILE
        : FileFacts.Kind.OTHER;
  }
}
