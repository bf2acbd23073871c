package io.eley.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.client.Connection;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.wire.MetadataMessage.GetListing;
import io.eley.bb.api.wire.MetadataMessage.GetStatus;
import io.eley.bb.api.wire.MetadataMessage.Listing;
import io.eley.bb.api.wire.MetadataMessage.Status;
import io.eley.bb.api.wire.PlanMessage.PlanStage;
import io.eley.bb.api.wire.PlanMessage.StartApplication;
import io.eley.bb.api.wire.PlanMessage.TasksEnded;
import io.eley.bb.api.wire.PlanMessage.WaveSize;
import io.eley.bb.api.wire.ReplyMessage.Ok;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A directory of 40,000 files of 100 KB, and a coordinator with 64 MiB: a twenty-fifth of a million
 * with 1 GB, and what any process takes. Each file is listed, planned, and asked for.
 */
@Timeout(180)
@Tag("slow")
class ManyFilesTest {
  private static final int FILES = 40_000;
  private static final int FILES_OF_TASK = 20;

  @TempDir private Path temporary;
  private SmallCoordinator coordinator;

  @BeforeEach
  void start() throws Exception {
    Path directory = Files.createDirectories(temporary.resolve("origin/table"));
    for (int i = 0; i < FILES; i++) {
      Path file = directory.resolve(String.format("part-%07d-0b5c1c9e.snappy.parquet", i));
      try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
        sparse.setLength(100_000);
      }
    }
    coordinator = new SmallCoordinator(temporary, "64m");
  }

  @AfterEach
  void stop() throws Exception {
    coordinator.stop();
  }

  private static List<OriginStatus> list(Connection driver) throws Exception {
    var children = new ArrayList<OriginStatus>();
    String after = "";
    boolean more = true;
    while (more) {
      var page =
          TestDeployment.ask(driver, new GetListing("/table", after)) instanceof Listing one
              ? one
              : new Listing(List.of(), false);
      children.addAll(page.children());
      String last = children.get(children.size() - 1).path();
      after = last.substring(last.lastIndexOf('/') + 1);
      more = page.more();
    }
    return children;
  }

  private static List<Split> splits(List<OriginStatus> files) {
    var splits = new ArrayList<Split>();
    for (int i = 0; i < files.size(); i += FILES_OF_TASK) {
      List<FileSlice> slices =
          files.subList(i, i + FILES_OF_TASK).stream()
              .map(f -> new FileSlice(f.path(), new ByteRange(0, f.length())))
              .toList();
      splits.add(new Split(splits.size(), slices));
    }
    return splits;
  }

  @Test
  void theyAreListedPlannedAndAskedForWithinTheHeap() throws Exception {
    var node = coordinator.registeredNode();
    var driver = coordinator.connect();
    List<OriginStatus> files = list(driver);
    assertThat(files).hasSize(FILES);

    var stage = new StageId("many", 0, 0);
    assertThat(TestDeployment.ask(driver, new StartApplication("many", ""))).isEqualTo(new Ok());
    TestDeployment.ask(driver, new WaveSize("many", 4));
    List<Split> splits = splits(files);
    for (int from = 0; from < splits.size(); from += 200) {
      boolean last = from + 200 >= splits.size();
      assertThat(
              TestDeployment.ask(
                  driver, new PlanStage(stage, splits.subList(from, from + 200), last)))
          .as("a part that does not fit would be refused")
          .isEqualTo(new Ok());
    }
    await().atMost(Duration.ofSeconds(30)).until(() -> node.fetches.size() >= 8 * FILES_OF_TASK);
    for (int i = 0; i < FILES; i += 10) {
      var question = new GetStatus(files.get(i).path(), i % 1000 == 0);
      assertThat(((Status) TestDeployment.ask(driver, question)).status()).isEqualTo(files.get(i));
    }
    TestDeployment.ask(driver, new TasksEnded(stage, List.of(0, 1, 2, 3)));
    await().atMost(Duration.ofSeconds(30)).until(() -> node.fetches.size() >= 12 * FILES_OF_TASK);
    assertThat(list(driver)).isEqualTo(files);
    coordinator.requireAlive();
  }
}
