package io.eley.bb.api.wire;

import io.eley.bb.api.ByteRange;
import io.eley.bb.api.FileSlice;
import io.eley.bb.api.Split;
import io.eley.bb.api.StageId;
import io.eley.bb.api.StayCause;
import io.eley.bb.api.edge.NameRule;
import java.util.List;

/** What Spark's driver reports to the coordinator. All are answered by {@link ReplyMessage.Ok}. */
public sealed interface PlanMessage extends Message {
  /**
   * A driver has connected, perhaps again: what the coordinator knew of this application is
   * dropped.
   *
   * @param application Spark's application id
   * @param name the application's own, for people; the user has not chosen it for us, so it is
   *     escaped and cut where it cannot be a name
   */
  record StartApplication(String application, String name) implements PlanMessage {
    public StartApplication {
      NameRule.APPLICATION.require(application);
      name = name.isEmpty() ? name : NameRule.APPLICATION.made(name);
    }

    @Override
    public MessageType type() {
      return MessageType.START_APPLICATION;
    }

    @Override
    public void write(WireWriter out) {
      out.text(application).text(name);
    }

    static StartApplication read(WireReader in) {
      return new StartApplication(in.text(), in.text());
    }
  }

  /** How many tasks of the application can run at once. Zero until executors are there. */
  record WaveSize(String application, int tasks) implements PlanMessage {
    public WaveSize {
      NameRule.APPLICATION.require(application);
      if (tasks < 0) {
        throw new IllegalArgumentException("negative wave size");
      }
    }

    @Override
    public MessageType type() {
      return MessageType.WAVE_SIZE;
    }

    @Override
    public void write(WireWriter out) {
      out.text(application).i32(tasks);
    }

    static WaveSize read(WireReader in) {
      return new WaveSize(in.text(), in.i32());
    }
  }

  /**
   * Splits of a stage, in partition order; a large stage comes in several messages.
   *
   * @param last whether the stage is complete now; planning begins with the first message
   */
  record PlanStage(StageId stage, List<Split> splits, boolean last) implements PlanMessage {
    public PlanStage {
      splits = List.copyOf(splits);
    }

    @Override
    public MessageType type() {
      return MessageType.PLAN_STAGE;
    }

    @Override
    public void write(WireWriter out) {
      writeStage(out, stage).list(splits, PlanMessage::writeSplit).bool(last);
    }

    static PlanStage read(WireReader in) {
      return new PlanStage(readStage(in), in.list(PlanMessage::readSplit), in.bool());
    }
  }

  /**
   * Tasks of this stage may stop before they have read their splits: nothing is prefetched for it
   * until one has told that it read them. Comes before the stage's splits.
   */
  record TentativeStage(StageId stage) implements PlanMessage {
    @Override
    public MessageType type() {
      return MessageType.TENTATIVE_STAGE;
    }

    @Override
    public void write(WireWriter out) {
      writeStage(out, stage);
    }

    static TentativeStage read(WireReader in) {
      return new TentativeStage(readStage(in));
    }
  }

  /**
   * What a task that has succeeded has read through us; comes before or after its end is reported.
   *
   * @param partition of the task
   * @param slices all that it asked for, in any order; some bytes between them may be among it
   * @param waitedNanos for which its threads waited for these bytes, not negative
   */
  record TaskRead(StageId stage, int partition, List<FileSlice> slices, long waitedNanos)
      implements PlanMessage {
    public TaskRead {
      slices = List.copyOf(slices);
      if (waitedNanos < 0) {
        throw new IllegalArgumentException("negative time of waiting");
      }
    }

    @Override
    public MessageType type() {
      return MessageType.TASK_READ;
    }

    @Override
    public void write(WireWriter out) {
      writeStage(out, stage).i32(partition).list(slices, PlanMessage::writeSlice).i64(waitedNanos);
    }

    static TaskRead read(WireReader in) {
      return new TaskRead(readStage(in), in.i32(), in.list(PlanMessage::readSlice), in.i64());
    }
  }

  /**
   * How much of the application's intermediate data has stayed with executors since it began: a
   * later message has the earlier one's counts in its own.
   *
   * @param stayed one entry for each cause that there was
   */
  record OutputsStayed(String application, List<Stayed> stayed) implements PlanMessage {
    public OutputsStayed {
      NameRule.APPLICATION.require(application);
      stayed = List.copyOf(stayed);
      if (stayed.size() > StayCause.values().length) {
        throw new IllegalArgumentException("more entries than causes");
      }
    }

    @Override
    public MessageType type() {
      return MessageType.OUTPUTS_STAYED;
    }

    @Override
    public void write(WireWriter out) {
      out.text(application).list(stayed, (w, s) -> s.write(w));
    }

    static OutputsStayed read(WireReader in) {
      return new OutputsStayed(in.text(), in.list(Stayed::read));
    }
  }

  /** Tasks of a stage that have succeeded: their input is consumed. */
  record TasksEnded(StageId stage, List<Integer> partitions) implements PlanMessage {
    public TasksEnded {
      partitions = List.copyOf(partitions);
    }

    @Override
    public MessageType type() {
      return MessageType.TASKS_ENDED;
    }

    @Override
    public void write(WireWriter out) {
      writeStage(out, stage).list(partitions, WireWriter::i32);
    }

    static TasksEnded read(WireReader in) {
      return new TasksEnded(readStage(in), in.list(WireReader::i32));
    }
  }

  /** The stage attempt is over, well or not: nothing of it will be read any more. */
  record StageEnded(StageId stage) implements PlanMessage {
    @Override
    public MessageType type() {
      return MessageType.STAGE_ENDED;
    }

    @Override
    public void write(WireWriter out) {
      writeStage(out, stage);
    }

    static StageEnded read(WireReader in) {
      return new StageEnded(readStage(in));
    }
  }

  /**
   * The application is over. A driver whose connection ends without this may come back within a
   * grace period.
   */
  record EndApplication(String application) implements PlanMessage {
    public EndApplication {
      NameRule.APPLICATION.require(application);
    }

    @Override
    public MessageType type() {
      return MessageType.END_APPLICATION;
    }

    @Override
    public void write(WireWriter out) {
      out.text(application);
    }

    static EndApplication read(WireReader in) {
      return new EndApplication(in.text());
    }
  }

  private static WireWriter writeStage(WireWriter out, StageId stage) {
    return out.text(stage.application()).i32(stage.stage()).i32(stage.attempt());
  }

  private static StageId readStage(WireReader in) {
    return new StageId(in.text(), in.i32(), in.i32());
  }

  private static void writeSplit(WireWriter out, Split split) {
    out.i32(split.partition()).list(split.slices(), PlanMessage::writeSlice).bool(split.exact());
  }

  private static void writeSlice(WireWriter out, FileSlice slice) {
    out.text(slice.path()).i64(slice.range().offset()).i64(slice.range().length());
  }

  private static FileSlice readSlice(WireReader in) {
    return new FileSlice(in.text(), new ByteRange(in.i64(), in.i64()));
  }

  private static Split readSplit(WireReader in) {
    return new Split(in.i32(), in.list(PlanMessage::readSlice), in.bool());
  }
}
