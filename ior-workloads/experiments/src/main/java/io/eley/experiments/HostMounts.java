package io.eley.experiments;

import java.nio.file.Path;
import java.util.List;

/**
 * The mounts that the emulated hosts have of one file system. A FUSE mount serves one request at a
 * time, so hosts that shared one would wait for each other as real ones do not.
 *
 * <p>Addresses must be the same on every host, so each process sees its host's mount at one path:
 * it starts in a mount namespace of its own, in which that mount is bound there (unshare(1),
 * mount(8); root only). Without mounts of their own all hosts share the directory at that path.
 *
 * @param origin the path by which every process knows the file system
 * @param mounts one a host: IOR's tasks first, then Spark's workers, then nodes, then the
 *     coordinator and the driver; fewer are used in turn, none shares {@code origin}
 */
record HostMounts(Path origin, List<Path> mounts) {
  private static final String BIND = "mount --bind \"$0\" \"$1\" && shift && exec \"$@\"";

  HostMounts {
    mounts = List.copyOf(mounts);
  }

  /** Where this process, which is in no namespace, sees a host's view. */
  Path of(int host) {
    return mounts.isEmpty() ? origin : mounts.get(host % mounts.size());
  }

  /** What goes before the command of a process on a host. */
  List<String> entry(int host) {
    return mounts.isEmpty()
        ? List.of()
        : List.of("unshare", "--mount", "sh", "-c", BIND, of(host).toString(), origin.toString());
  }
}
