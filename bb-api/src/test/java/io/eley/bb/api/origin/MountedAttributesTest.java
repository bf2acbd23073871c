package io.eley.bb.api.origin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.UserPrincipal;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose a file is, and how often the system is asked for it. */
class MountedAttributesTest {
  private final MountedAttributes attributes = new MountedAttributes(this::read, this::now);
  private Path file;
  private long now;
  private int stats;
  private int lookups;
  private int user = 7;
  private int group = 7;
  private String suffix = "";

  @BeforeEach
  void write(@TempDir Path directory) throws IOException {
    file = Files.writeString(directory.resolve("f"), "12345");
  }

  @Test
  void aNameIsLookedUpOnceAndAFileTakesOneSystemCallFromThenOn() throws IOException {
    for (int i = 0; i < 100; i++) {
      requireNames("user 7", "group 7");
    }
    assertThat(lookups).isEqualTo(1);
    assertThat(stats).isEqualTo(101);
  }

  @Test
  void aLinkIsNotFollowedByWhoAsksForAPlainFile() throws IOException {
    Path link = Files.createSymbolicLink(file.resolveSibling("link"), file);
    assertThat(attributes.ofPlain("/link", link)).isEmpty();
    assertThat(attributes.ofPlain("/f", file)).contains(attributes.of("/f", file));
    assertThat(attributes.of("/link", link).length()).isEqualTo(5);
  }

  @Test
  void usersAndGroupsWithTheSameNumberAreNotMixedUp() throws IOException {
    requireNames("user 7", "group 7");
    user = 8;
    requireNames("user 8", "group 7");
    group = 8;
    requireNames("user 8", "group 8");
    user = 7;
    requireNames("user 7", "group 8");
    assertThat(lookups).isEqualTo(3);
  }

  @Test
  void anAccountThatWasRenamedHasItsNewNameAfterAMinute() throws IOException {
    requireNames("user 7", "group 7");
    suffix = " the second";
    now += NamesByNumber.LIFETIME.toNanos() - 1;
    requireNames("user 7", "group 7");
    now++;
    requireNames("user 7 the second", "group 7 the second");
    requireNames("user 7 the second", "group 7 the second");
    assertThat(lookups).isEqualTo(2);
  }

  @Test
  void onlySoManyNamesAreKept() throws IOException {
    for (user = 0; user <= NamesByNumber.MOST; user++) {
      requireNames("user " + user, "group 7");
    }
    assertThat(lookups).isEqualTo(NamesByNumber.MOST + 1);
    user = 1;
    requireNames("user 1", "group 7");
    assertThat(lookups).as("it is still known").isEqualTo(NamesByNumber.MOST + 1);
    user = 0;
    requireNames("user 0", "group 7");
    assertThat(lookups).as("it has made room").isEqualTo(NamesByNumber.MOST + 2);
  }

  @Test
  void aFileThatChangesHandsBetweenTwoLooksHasTheNamesOfOneMoment() throws IOException {
    var changing =
        new MountedAttributes(
            (path, names, options) -> {
              user = names.contains("owner") ? 9 : 7;
              return read(path, names, options);
            },
            this::now);
    assertThat(changing.of("/f", file).owner()).isEqualTo("user 9");
    assertThat(changing.of("/f", file).owner()).as("nobody has said who 7 is").isEqualTo("user 9");
    assertThat(lookups).isEqualTo(2);
  }

  private void requireNames(String owner, String group) throws IOException {
    OriginStatus status = attributes.of("/f", file);
    assertThat(status.owner()).isEqualTo(owner);
    assertThat(status.group()).isEqualTo(group);
    assertThat(status.length()).isEqualTo(5);
  }

  private long now() {
    return now;
  }

  /** The real attributes with owners as this test says. */
  private Map<String, Object> read(Path path, String names, LinkOption... options)
      throws IOException {
    stats++;
    boolean named = names.contains("owner");
    assertThat(names.contains("group")).isEqualTo(named);
    lookups += named ? 1 : 0;
    var all = new HashMap<>(Files.readAttributes(path, names, options));
    all.put("uid", user);
    all.put("gid", group);
    if (named) {
      all.put("owner", new Account("user " + user + suffix));
      all.put("group", new Account("group " + group + suffix));
    }
    return all;
  }

  private record Account(String getName) implements GroupPrincipal, UserPrincipal {}
}
