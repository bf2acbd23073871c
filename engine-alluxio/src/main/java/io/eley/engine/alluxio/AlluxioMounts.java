package io.eley.engine.alluxio;

import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;

/** Where Alluxio's mount table has a directory of the origin. Pure. */
final class AlluxioMounts {
  private AlluxioMounts() {}

  /**
   * Where the origin is.
   *
   * @param path of it in Alluxio
   * @param blockSize into which its files are cut
   */
  record Found(String path, long blockSize) {}

  /**
   * The place in Alluxio of an origin's directory: below the mount that is nearest to it.
   *
   * <p>Example: {@code /} is {@code /mnt/pfs} and {@code /sim} is {@code /mnt/pfs/runs}; then the
   * origin {@code file:///mnt/pfs/runs/7} is {@code /sim/7}.
   *
   * @param origin a directory of this machine
   * @throws EleyException {@code INCOMPATIBLE} when nothing of it is mounted
   */
  static Found of(String origin, List<AlluxioPort.Mount> mounts) throws EleyException {
    if (!local(origin)) {
      throw new EleyException(
          ErrorCode.INCOMPATIBLE,
          "Alluxio is driven over an origin that is mounted on its workers, which "
              + origin
              + " is not");
    }
    String wanted = directory(origin);
    Found best = null;
    int length = -1;
    for (AlluxioPort.Mount mount : mounts) {
      if (!local(mount.under())) {
        continue;
      }
      String under = directory(mount.under());
      boolean above =
          wanted.equals(under) || wanted.startsWith(under.equals("/") ? "/" : under + "/");
      if (above && under.length() > length) {
        length = under.length();
        String rest = wanted.substring(under.equals("/") ? 0 : under.length());
        best = new Found(directory(mount.path() + "/" + rest), mount.blockSize());
      }
    }
    if (best == null) {
      throw new EleyException(
          ErrorCode.INCOMPATIBLE,
          "Alluxio has not mounted "
              + wanted
              + "; it has "
              + mounts.stream().map(AlluxioPort.Mount::under).collect(Collectors.joining(", ")));
    }
    return best;
  }

  private static boolean local(String address) {
    return address.startsWith("/") || address.startsWith("file:");
  }

  /** Without scheme, doubled slashes and one at the end. */
  private static String directory(String address) {
    String path =
        address.startsWith("file:") ? URI.create(address.replace(" ", "%20")).getPath() : address;
    String plain = path.replaceAll("/+", "/");
    return plain.length() > 1 && plain.endsWith("/")
        ? plain.substring(0, plain.length() - 1)
        : plain;
  }
}
