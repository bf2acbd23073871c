package io.eley.bb.api.wire;

import java.util.function.Function;

/** The number of each message on the wire, and how to read it. Numbers are never reused. */
@SuppressWarnings("ImmutableEnumChecker") // the readers are method references without state
public enum MessageType {
  HELLO(1, HandshakeMessage.Hello::read),
  CHALLENGE(2, HandshakeMessage.Challenge::read),
  PROOF(3, HandshakeMessage.Proof::read),
  OK(4, ReplyMessage.Ok::read),
  FAILURE(5, ReplyMessage.Failure::read),
  PING(7, PingMessage::read),
  KEYED_HELLO(8, HandshakeMessage.KeyedHello::read),

  READ_BLOCK(16, BlockMessage.ReadBlock::read),
  BLOCK_DATA(17, BlockMessage.BlockData::read),
  OPEN_LOCAL(18, BlockMessage.OpenLocal::read),
  LOCAL_BLOCK(19, BlockMessage.LocalBlock::read),
  RELEASE_LOCAL(20, BlockMessage.ReleaseLocal::read),
  BLOCK_DAMAGED(21, BlockMessage.BlockDamaged::read),

  GET_VIEW(32, MetadataMessage.GetView::read),
  VIEW(33, MetadataMessage.View::read),
  GET_STATUS(34, MetadataMessage.GetStatus::read),
  STATUS(35, MetadataMessage.Status::read),
  GET_LISTING(36, MetadataMessage.GetListing::read),
  LISTING(37, MetadataMessage.Listing::read),
  FORGET(38, MetadataMessage.Forget::read),
  STATUSES_CHANGED(39, MetadataMessage.StatusesChanged::read),
  STATUSES_SEEN(40, MetadataMessage.StatusesSeen::read),

  START_APPLICATION(48, PlanMessage.StartApplication::read),
  WAVE_SIZE(49, PlanMessage.WaveSize::read),
  PLAN_STAGE(50, PlanMessage.PlanStage::read),
  TASKS_ENDED(51, PlanMessage.TasksEnded::read),
  STAGE_ENDED(52, PlanMessage.StageEnded::read),
  END_APPLICATION(53, PlanMessage.EndApplication::read),
  TENTATIVE_STAGE(54, PlanMessage.TentativeStage::read),
  TASK_READ(55, PlanMessage.TaskRead::read),
  OUTPUTS_STAYED(56, PlanMessage.OutputsStayed::read),

  BEGIN_PHASE(64, PhaseMessage.BeginPhase::read),
  END_PHASE(65, PhaseMessage.EndPhase::read),
  PHASE_HELD(66, PhaseMessage.PhaseHeld::read),
  GET_REPORT(67, PhaseMessage.GetReport::read),
  REPORT(68, PhaseMessage.Report::read),
  GET_WHY(69, PhaseMessage.GetWhy::read),
  WHY(70, PhaseMessage.Why::read),
  PHASE_ENDED(71, PhaseMessage.PhaseEnded::read),

  REGISTER(80, NodeMessage.Register::read),
  BLOCKS_CHANGED(82, NodeMessage.BlocksChanged::read),
  PERMIT_APPLIED(83, NodeMessage.PermitApplied::read),
  GRANT_PERMIT(84, NodeMessage.GrantPermit::read),
  FETCH_BLOCKS(85, NodeMessage.FetchBlocks::read),
  FREE_BLOCKS(86, NodeMessage.FreeBlocks::read),
  ORIGIN_READ(87, NodeMessage.OriginRead::read),

  ASK_FALLBACK(96, FallbackMessage.AskFallback::read),
  FALLBACK_LANE(97, FallbackMessage.FallbackLane::read),

  ASK_BOARD(104, BoardMessage.AskBoard::read),
  BOARD_VIEW(105, BoardMessage.BoardView::read),

  OPEN_SCRATCH(112, ScratchMessage.OpenScratch::read),
  SCRATCH_OPENED(113, ScratchMessage.ScratchOpened::read),
  RESERVE_SCRATCH(114, ScratchMessage.ReserveScratch::read),
  SCRATCH_RESERVED(115, ScratchMessage.ScratchReserved::read),
  WRITE_SCRATCH(116, ScratchMessage.WriteScratch::read),
  COMMIT_SCRATCH(117, ScratchMessage.CommitScratch::read),
  ABANDON_SCRATCH(118, ScratchMessage.AbandonScratch::read),
  DROP_SCRATCH(119, ScratchMessage.DropScratch::read);

  private static final MessageType[] BY_NUMBER = new MessageType[128];

  static {
    for (var type : values()) {
      BY_NUMBER[type.number] = type;
    }
  }

  private final int number;
  private final Function<WireReader, Message> reader;

  MessageType(int number, Function<WireReader, Message> reader) {
    this.number = number;
    this.reader = reader;
  }

  public int number() {
    return number;
  }

  Message read(WireReader in) {
    return reader.apply(in);
  }

  /**
   * The type of a number.
   *
   * @throws IllegalArgumentException when there is none
   */
  static MessageType ofNumber(int number) {
    MessageType type = number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    if (type == null) {
      throw new IllegalArgumentException("unknown message type " + number);
    }
    return type;
  }
}
