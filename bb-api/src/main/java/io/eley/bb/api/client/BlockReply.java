package io.eley.bb.api.client;

import java.util.List;

/**
 * A complete answer to a block read; the bytes are in the target.
 *
 * @param bytes how many
 * @param hitBytes how many of them were in RAM when they were asked for
 * @param checksums CRC32C of each page, when asked for
 */
public record BlockReply(int bytes, int hitBytes, List<Integer> checksums) {
  public BlockReply {
    checksums = List.copyOf(checksums);
  }
}
