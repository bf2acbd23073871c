package io.eley.bb.api.wire;

import io.eley.bb.api.BlockId;
import io.eley.bb.api.ReadCause;
import java.util.List;

/** Reading blocks: client and node. */
public sealed interface BlockMessage extends Message {
  private static void requireSize(int blockSize) {
    if (blockSize < 1) {
      throw new IllegalArgumentException("no size of a block: " + blockSize);
    }
  }

  /**
   * Asks for a range of a block. The answer is one or more {@link BlockData} in ascending order,
   * the last one marked, or a failure, possibly after some data. A range that is still being
   * fetched is answered as it arrives; what of it nobody ordered is fetched now, with the cause
   * given here, and nothing else of the block.
   *
   * @param blockSize bytes of a whole block as the client knows it, see {@link
   *     io.eley.bb.api.BlockGeometry}: where the node's is another one, the index means other
   *     bytes, and the answer is {@code NOT_OWNER}
   * @param offset first byte within the block
   * @param length bytes, at least 1; must not pass the block's end
   * @param ahead bytes behind the range that the reader will probably ask for next, so that they
   *     are fetched, too; may pass the block's end, where they are cut
   * @param cause {@code DEMAND} or {@code READ_AHEAD}
   * @param verify answer with the checksums of the pages; the range must then begin at a page's
   *     start and end at a page's or the block's end
   */
  record ReadBlock(
      BlockId block,
      int blockSize,
      int offset,
      int length,
      int ahead,
      ReadCause cause,
      boolean verify)
      implements BlockMessage {
    /** A read of somebody who will not go on behind it. */
    public ReadBlock(
        BlockId block, int blockSize, int offset, int length, ReadCause cause, boolean verify) {
      this(block, blockSize, offset, length, 0, cause, verify);
    }

    public ReadBlock {
      requireSize(blockSize);
      if (ahead < 0) {
        throw new IllegalArgumentException("negative bytes ahead: " + ahead);
      }
      if (offset < 0 || length < 1 || offset > Integer.MAX_VALUE - length) {
        throw new IllegalArgumentException(
            "not a range of a block: offset " + offset + ", length " + length);
      }
    }

    @Override
    public MessageType type() {
      return MessageType.READ_BLOCK;
    }

    @Override
    public void write(WireWriter out) {
      out.block(block).i32(blockSize);
      out.i32(offset).i32(length).i32(ahead).constant(cause).bool(verify);
    }

    static ReadBlock read(WireReader in) {
      return new ReadBlock(
          in.block(),
          in.i32(),
          in.i32(),
          in.i32(),
          in.i32(),
          in.constant(ReadCause.class),
          in.bool());
    }
  }

  /**
   * Bytes of a block; they are the frame's payload.
   *
   * @param offset first byte within the block
   * @param last whether the request is answered completely
   * @param arrived whether the bytes were in the buffer when they were asked for (a hit), or had to
   *     come first
   * @param checksums CRC32C (RFC 3720, appendix B.4) of each page of the payload, when asked for;
   *     otherwise empty
   */
  record BlockData(int offset, boolean last, boolean arrived, List<Integer> checksums)
      implements BlockMessage {
    public BlockData {
      checksums = List.copyOf(checksums);
    }

    @Override
    public MessageType type() {
      return MessageType.BLOCK_DATA;
    }

    @Override
    public void write(WireWriter out) {
      out.i32(offset).bool(last).bool(arrived).list(checksums, WireWriter::i32);
    }

    static BlockData read(WireReader in) {
      return new BlockData(in.i32(), in.bool(), in.bool(), in.list(WireReader::i32));
    }
  }

  /**
   * Asks to read a block's file directly; only of use to a client on the node's machine. Answered
   * by {@link LocalBlock} when the block is complete, otherwise by the failure {@code UNAVAILABLE}:
   * then read it over the connection.
   *
   * <p>A node whose blocks are in another engine is asked by clients anywhere, has the block loaded
   * if need be, as what a task waits for, and answers when it is there.
   *
   * @param blockSize as for {@link ReadBlock}
   */
  record OpenLocal(BlockId block, int blockSize) implements BlockMessage {
    public OpenLocal {
      requireSize(blockSize);
    }

    @Override
    public MessageType type() {
      return MessageType.OPEN_LOCAL;
    }

    @Override
    public void write(WireWriter out) {
      out.block(block).i32(blockSize);
    }

    static OpenLocal read(WireReader in) {
      return new OpenLocal(in.block(), in.i32());
    }
  }

  /**
   * The file of a complete block, pinned until it is released or the connection ends. Byte <i>i</i>
   * of the block is byte <i>i</i> of the file; what follows the block's bytes in the file is the
   * node's own.
   *
   * @param file absolute path on the node's machine; of a block in another engine, its place there
   *     as the engine's adapters write it
   * @param lease for {@link ReleaseLocal}
   * @param checksums CRC32C of each page of the block; none of another engine's
   */
  record LocalBlock(String file, long lease, List<Integer> checksums) implements BlockMessage {
    public LocalBlock {
      checksums = List.copyOf(checksums);
    }

    @Override
    public MessageType type() {
      return MessageType.LOCAL_BLOCK;
    }

    @Override
    public void write(WireWriter out) {
      out.text(file).i64(lease).list(checksums, WireWriter::i32);
    }

    static LocalBlock read(WireReader in) {
      return new LocalBlock(in.path(), in.i64(), in.list(WireReader::i32));
    }
  }

  /**
   * A reader has received bytes of the block that do not match their checksums. The node looks at
   * the block again and drops it when it is damaged, so that the next request has it fetched anew.
   * Answered by {@link ReplyMessage.Ok} when that is done.
   */
  record BlockDamaged(BlockId block) implements BlockMessage {
    @Override
    public MessageType type() {
      return MessageType.BLOCK_DAMAGED;
    }

    @Override
    public void write(WireWriter out) {
      out.block(block);
    }

    static BlockDamaged read(WireReader in) {
      return new BlockDamaged(in.block());
    }
  }

  /** Unpins a block; bytes read directly are reported so that the node's counters stay true. */
  record ReleaseLocal(long lease, long bytesRead) implements BlockMessage {
    @Override
    public MessageType type() {
      return MessageType.RELEASE_LOCAL;
    }

    @Override
    public void write(WireWriter out) {
      out.i64(lease).i64(bytesRead);
    }

    static ReleaseLocal read(WireReader in) {
      return new ReleaseLocal(in.i64(), in.i64());
    }
  }
}
