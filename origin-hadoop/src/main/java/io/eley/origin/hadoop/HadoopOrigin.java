package io.eley.origin.hadoop;

import io.eley.bb.api.FileVersion;
import io.eley.bb.api.OriginPaths;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginFile;
import io.eley.bb.api.origin.OriginSpace;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.origin.Origins;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSupport;
import org.apache.hadoop.fs.statistics.StoreStatisticNames;
import org.apache.hadoop.util.functional.FutureIO;

/**
 * An origin that one of Hadoop's file systems serves, from a directory of it down.
 *
 * <p>A store whose files have ETags makes sure of the version with each read (S3A sends {@code
 * If-Match}); there a file whose version the caller knows is opened without asking first, and is
 * not asked after again. Any other is looked at when it is opened and after it was read, as on a
 * mount.
 *
 * <p>S3 has no rename: what {@link #rename} promises of it holds for a file that nobody else makes
 * at that moment, and a directory's is one copy after another, which may stop halfway.
 *
 * <p>Safe for several threads; every call blocks.
 */
final class HadoopOrigin implements Origin {
  private static final int RECENT = 10_000;

  /** Their clients send the ETag with each read, and the store refuses another. */
  private static final Set<String> VERIFYING = Set.of("s3a", "abfs", "abfss");

  /**
   * The one that is a file system: who renames there has renamed, or has done nothing, and its
   * directories change with their children.
   */
  private static final String FILE_SYSTEM = "hdfs";

  private final FileSystem files;
  private final Path root;
  private final String address;
  private final Throttling throttling;
  private final RecentStatuses recent = new RecentStatuses(RECENT);
  private final ClosedAtEnd end;

  private HadoopOrigin(FileSystem files, Path root, String address) {
    this.files = files;
    this.root = root;
    this.address = address;
    throttling = new Throttling(address, () -> throttled(files), System::nanoTime);
    end = new ClosedAtEnd(files);
  }

  /**
   * Opens a directory of a file system with the configuration on the class path. Processes of ours
   * are told within seconds when it cannot be used, since whoever starts them waits; a task of
   * Spark's waits as long as the user's configuration says.
   *
   * @throws EleyException {@code NOT_FOUND}, {@code ACCESS_DENIED} or {@code UNAVAILABLE}, in one
   *     line
   */
  static HadoopOrigin open(URI address) throws EleyException {
    ClassLoader classes = HadoopOrigin.class.getClassLoader();
    Configuration user = ClientSettings.load(classes);
    if (Origins.APART.equals(classes.getName())) {
      check(address, user);
    }
    return open(address, user);
  }

  /** Throws within seconds what {@link #open} would throw later. */
  static void check(URI address, Configuration user) throws EleyException {
    open(address, ClientSettings.impatient(user)).close();
  }

  /**
   * The same with a user's configuration.
   *
   * @param user see {@link ClientSettings#load}
   */
  static HadoopOrigin open(URI address, Configuration user) throws EleyException {
    URI plain = OriginAddress.normal(address);
    try {
      return Calls.get("open " + plain, () -> connect(plain, ClientSettings.client(plain, user)));
    } catch (EleyException e) {
      ErrorCode code = e.code() == ErrorCode.ORIGIN_FAILED ? ErrorCode.UNAVAILABLE : e.code();
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String why = why(e);
      throw new EleyException(code, "the origin " + plain + " cannot be used: " + why, cause);
    }
  }

  private static String why(EleyException e) {
    Throwable cause = e.getCause();
    if (cause == null) {
      return e.getMessage() + "";
    }
    return cause instanceof LinkageError missing
        ? HadoopErrors.lacking(missing)
        : HadoopErrors.line(cause);
  }

  private static HadoopOrigin connect(URI address, Configuration conf) throws IOException {
    FileSystem files = FileSystem.get(address, conf);
    try {
      var root = new Path(address.getScheme(), address.getAuthority(), path(address));
      if (!files.getFileStatus(root).isDirectory()) {
        throw new EleyException(
            ErrorCode.NOT_FOUND, "the origin " + address + " is not a directory");
      }
      // An object store says of its root what it knows without asking.
      boolean unused = files.listStatusIterator(root).hasNext();
      return new HadoopOrigin(files, root, address.toString());
    } catch (IOException | RuntimeException e) {
      files.close();
      throw e;
    }
  }

  private boolean isFileSystem() {
    return FILE_SYSTEM.equals(root.toUri().getScheme());
  }

  @Override
  public boolean directoriesTellOfChildren() {
    return isFileSystem();
  }

  private static String path(URI address) {
    return OriginPaths.normalise("/" + (address.getPath() == null ? "" : address.getPath()));
  }

  @Override
  public String address() {
    return address;
  }

  private Path at(String path) throws EleyException {
    try {
      OriginPaths.requireNormalised(path);
    } catch (IllegalArgumentException e) {
      throw new EleyException(ErrorCode.OUTSIDE_ORIGIN, e.getMessage() + "", e);
    }
    if (path.equals(OriginPaths.ROOT)) {
      return root;
    }
    String base = root.toUri().getPath();
    return new Path(
        root.toUri().getScheme(),
        root.toUri().getAuthority(),
        base.equals("/") ? path : base + path);
  }

  @Override
  public OriginStatus stat(String path) throws EleyException {
    Path at = at(path);
    return Calls.get("stat " + path, () -> noted(path, files.getFileStatus(at)));
  }

  private OriginStatus noted(String path, FileStatus found) {
    if (verifies(found)) {
      recent.note(path, found);
    }
    return Statuses.of(path, found);
  }

  /** Whether each read of the file makes sure that it is still this version. */
  private boolean verifies(FileStatus found) {
    return VERIFYING.contains(root.toUri().getScheme()) && !Statuses.etag(found).isEmpty();
  }

  @Override
  public List<OriginStatus> list(String path) throws EleyException {
    Path at = at(path);
    String prefix = path.equals(OriginPaths.ROOT) ? path : path + "/";
    return Calls.get(
        "list " + path,
        () -> {
          FileStatus[] children = files.listStatus(at);
          if (children.length == 1 && children[0].isFile() && files.getFileStatus(at).isFile()) {
            throw new EleyException(ErrorCode.ORIGIN_FAILED, path + " is not a directory");
          }
          return Arrays.stream(children)
              .map(child -> noted(prefix + child.getPath().getName(), child))
              .sorted(Comparator.comparing(OriginStatus::path))
              .toList();
        });
  }

  @Override
  public OriginFile open(String path) throws EleyException {
    Path at = at(path);
    return Calls.get("open " + path, () -> open(path, files.getFileStatus(at)));
  }

  @Override
  public OriginFile open(FileVersion version) throws EleyException {
    Optional<FileStatus> known =
        recent
            .of(version.path())
            .filter(status -> Statuses.of(version.path(), status).version().equals(version));
    if (known.isEmpty()) {
      return open(version.path());
    }
    return Calls.get("open " + version.path(), () -> open(version.path(), known.get()));
  }

  private OriginFile open(String path, FileStatus found) throws IOException {
    if (found.isDirectory()) {
      throw new EleyException(ErrorCode.ORIGIN_FAILED, path + " is a directory");
    }
    OriginStatus status = noted(path, found);
    var opener = new Opener(path, verifies(found));
    return new HadoopFile(opener, found, status, opener.stream(found));
  }

  /** Of one path. */
  private final class Opener implements HadoopFile.Opener {
    private final String path;
    private final boolean verified;

    Opener(String path, boolean verified) {
      this.path = path;
      this.verified = verified;
    }

    @Override
    public FSDataInputStream stream(FileStatus found) throws IOException {
      var builder =
          files
              .openFile(found.getPath())
              .opt("fs.option.openfile.read.policy", "random")
              .opt("fs.option.openfile.length", Long.toString(found.getLen()))
              // Azure's streams else fill a buffer of 4 MiB for each page; others do not know it.
              .opt("fs.azure.buffered.pread.disable", "true")
              .withFileStatus(found);
      try {
        return FutureIO.awaitFuture(builder.build());
      } catch (FileNotFoundException e) {
        recent.forget(path);
        throw e;
      }
    }

    @Override
    public Optional<OriginStatus> current() throws IOException {
      return verified
          ? Optional.empty()
          : Optional.of(Statuses.of(path, files.getFileStatus(at(path))));
    }

    @Override
    public void wasRead() {
      boolean unused = throttling.look();
    }
  }

  @Override
  public OutputStream create(String path, boolean overwrite) throws EleyException {
    Path at = at(path);
    recent.forget(path);
    return Calls.get("create " + path, () -> HadoopOutput.of(path, files.create(at, overwrite)));
  }

  @Override
  public OutputStream append(String path) throws EleyException {
    Path at = at(path);
    recent.forget(path);
    return Calls.get("append to " + path, () -> HadoopOutput.of(path, files.append(at)));
  }

  @Override
  public boolean appends() throws EleyException {
    return Calls.get(
        "ask " + address + " what it can do",
        () -> files.hasPathCapability(root, CommonPathCapabilities.FS_APPEND));
  }

  @Override
  public void makeDirectories(String path) throws EleyException {
    Path at = at(path);
    Calls.run("make " + path, () -> require(files.mkdirs(at), "it refused"));
  }

  @Override
  public void rename(String from, String to) throws EleyException {
    Path source = at(from);
    Path target = at(to);
    recent.forget(from);
    recent.forget(to);
    Calls.run(
        "rename " + from + " to " + to,
        () -> {
          FileStatus unused = files.getFileStatus(source);
          requireFree(target);
          if (!files.rename(source, target)) {
            if (isFileSystem()) {
              requireFree(target); // else a copy of the source may be there
            }
            throw new IOException("it refused");
          }
        });
  }

  private void requireFree(Path target) throws IOException {
    if (files.exists(target)) {
      throw new FileAlreadyExistsException(
          target.toUri().getPath(), null, "there is a file or directory of that name");
    }
  }

  /** In one step on HDFS; elsewhere Hadoop deletes, then renames. */
  @Override
  public void replace(String from, String to) throws EleyException {
    Path source = at(from);
    Path target = at(to);
    recent.forget(from);
    recent.forget(to);
    Calls.run(
        "rename " + from + " onto " + to, () -> new Overwriting(files).overwrite(source, target));
  }

  /** Hadoop's file systems offer this to each other only. */
  private static final class Overwriting extends FilterFileSystem {
    Overwriting(FileSystem files) {
      super(files);
    }

    @SuppressWarnings("deprecation") // for who is outside of Hadoop
    void overwrite(Path from, Path to) throws IOException {
      rename(from, to, Options.Rename.OVERWRITE);
    }
  }

  @Override
  public void delete(String path, boolean recursive) throws EleyException {
    Path at = at(path);
    recent.forget(path);
    Calls.run(
        "delete " + path,
        () -> {
          FileStatus unused = files.getFileStatus(at);
          if (!files.delete(at, recursive)) {
            FileStatus left = files.getFileStatus(at); // throws when somebody else was faster
            throw new IOException("it refused to delete " + left.getPath());
          }
        });
  }

  /** An object store has none: it takes them and keeps its own. */
  @Override
  public void setPermissions(String path, int permissions) throws EleyException {
    Path at = at(path);
    Calls.run(
        "change the permissions of " + path,
        () -> files.setPermission(at, FsPermission.createImmutable((short) (permissions & 0777))));
  }

  /** Refused: these origins have no change times, so versions are told apart by these. */
  @Override
  public void setTimes(String path, long modifiedMillis, long accessedMillis) throws EleyException {
    throw new EleyException(
        ErrorCode.ORIGIN_FAILED,
        "times of files are not set on " + address + ", which tells versions apart by them");
  }

  @Override
  public OriginSpace space(String path) throws EleyException {
    Path at = at(path);
    FsStatus status = Calls.get("look at the space of " + path, () -> files.getStatus(at));
    return new OriginSpace(
        Math.max(0, status.getCapacity()),
        Math.max(0, status.getUsed()),
        Math.max(0, status.getRemaining()));
  }

  /** Answers 503 and {@code SlowDown} of S3. */
  @Override
  public long throttled() {
    return throttled(files);
  }

  private static long throttled(FileSystem files) {
    IOStatistics statistics = IOStatisticsSupport.retrieveIOStatistics(files);
    Long count =
        statistics == null
            ? null
            : statistics.counters().get(StoreStatisticNames.STORE_IO_THROTTLED);
    return count == null ? 0 : count;
  }

  private static void require(boolean done, String otherwise) throws IOException {
    if (!done) {
      throw new IOException(otherwise);
    }
  }

  @Override
  public void close() {
    end.cancel();
    try {
      Calls.run("close " + address, files::close);
    } catch (EleyException e) {
      // Nothing that is read or written depends on it.
    }
  }
}
