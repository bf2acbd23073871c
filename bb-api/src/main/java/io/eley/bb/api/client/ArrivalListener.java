package io.eley.bb.api.client;

import java.util.List;

/**
 * Learns of a block's bytes while they arrive. Whoever reads the connection calls it, and nobody
 * else.
 */
interface ArrivalListener {
  /** For whom it is enough to know when all is there. */
  ArrivalListener UNNOTICED =
      new ArrivalListener() {
        @Override
        public void expect(List<Integer> checksums) {}

        @Override
        public void arrived(int bytes) {}
      };

  /** The checksums of the pages that come next. */
  void expect(List<Integer> checksums);

  /** So many bytes are in the target by now, since the read's begin. */
  void arrived(int bytes);
}
