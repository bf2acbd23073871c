package io.eley.spark.connector.fs;

import io.eley.bb.api.OriginPaths;
import io.eley.bb.api.client.EleyClient;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.bb.api.origin.Origin;
import io.eley.bb.api.origin.OriginSpace;
import io.eley.bb.api.origin.OriginStatus;
import io.eley.bb.api.wire.MetadataMessage.View;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;

/**
 * {@code bb:///path}: the origin's name space, read through the buffer. Reads go to the nodes;
 * everything that changes the origin passes through to it and is then reported to the coordinator,
 * so that it drops its cached metadata.
 *
 * <p>A thin adapter: Hadoop's semantics here, Eley's in {@link EleyClient}. Safe for several
 * threads.
 */
public class BbFileSystem extends FileSystem implements IOStatisticsSource {
  public static final String SCHEME = "bb";

  private static final BlockHosts BLOCK_HOSTS = new BlockHosts();

  private static final URI ROOT = URI.create(SCHEME + ":///");

  /** What Hadoop asks for when its user has set nothing. */
  private static final int USUAL_OF_FILES = 0644;

  private static final int USUAL_OF_DIRECTORIES = 0755;

  private SharedClients.@Nullable Lease lease;
  private Path workingDirectory = new Path(ROOT);
  private long blockSize;
  private boolean locality;
  private IoCounts counts = new IoCounts(null);

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    super.initialize(name, conf);
    setConf(conf);
    counts = new IoCounts(statistics);
    try {
      blockSize = SharedClients.settings(conf).get(FsKeys.BLOCK_SIZE).bytes();
      locality = SharedClients.settings(conf).get(FsKeys.LOCALITY);
      lease = SharedClients.acquire(conf);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public URI getUri() {
    return ROOT;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    String file = origin(path);
    try {
      var stream =
          lease()
              .open(file, counts.reader())
              .orElseThrow(() -> new IOException("the file system is closed"));
      counts.count(IoCounts.OPENS);
      return new FSDataInputStream(stream);
    } catch (EleyException e) {
      throw Errors.hadoop(e);
    }
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long fileBlockSize,
      Progressable progress)
      throws IOException {
    String file = origin(path);
    Predicate<OriginStatus> inTheWay = found -> found.directory() || !overwrite;
    Optional<OriginStatus> old = existing(file).filter(inTheWay);
    if (old.isPresent()) {
      old = onOrigin(file).filter(inTheWay);
    }
    if (old.isPresent()) {
      throw new FileAlreadyExistsException(
          path + (old.get().directory() ? " is a directory" : " exists already"));
    }
    requireDirectories(OriginPaths.parent(file));
    return opened(
        own -> {
          OutputStream bytes = make(file, overwrite);
          counts.count(IoCounts.CREATES);
          // Before the stream, which tells the coordinator: from then on others keep what they are
          // told.
          restrict(file, permission, USUAL_OF_FILES, () -> output(own, file, bytes, 0).close());
          return output(own, file, bytes, 0);
        });
  }

  private OutputStream make(String file, boolean overwrite) throws IOException {
    try {
      return client().origin().create(file, overwrite);
    } catch (EleyException e) {
      boolean taken = !overwrite && e.code() == ErrorCode.ORIGIN_FAILED && isOnOrigin(file);
      throw taken ? Errors.taken(file, e) : Errors.hadoop(e);
    }
  }

  @Override
  @SuppressWarnings("deprecation") // deprecated in name only: what builders and committers call
  public FSDataOutputStream createNonRecursive(
      Path path,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferSize,
      short replication,
      long fileBlockSize,
      Progressable progress)
      throws IOException {
    Path parent = makeAbsolute(path).getParent();
    if (parent != null && !getFileStatus(parent).isDirectory()) {
      throw new ParentNotDirectoryException(parent + " is a file, not a directory");
    }
    boolean overwrite = flags.contains(CreateFlag.OVERWRITE);
    return create(path, permission, overwrite, bufferSize, replication, fileBlockSize, progress);
  }

  @Override
  public boolean hasPathCapability(Path path, String capability) throws IOException {
    if (!capability.equalsIgnoreCase(CommonPathCapabilities.FS_APPEND)) {
      return super.hasPathCapability(path, capability);
    }
    try {
      return client().origin().appends();
    } catch (EleyException e) {
      throw Errors.hadoop(e);
    }
  }

  @Override
  public FSDataOutputStream append(Path path, int bufferSize, Progressable progress)
      throws IOException {
    String file = origin(path);
    if (status(file).directory()) {
      throw new FileAlreadyExistsException("cannot append to " + path + ": it is a directory");
    }
    return opened(
        own -> {
          try {
            OutputStream bytes = client().origin().append(file);
            counts.count(IoCounts.APPENDS);
            return output(own, file, bytes, end(file, bytes));
          } catch (EleyException e) {
            throw Errors.hadoop(e);
          }
        });
  }

  /** Opens a stream that writes. */
  private interface Opening {
    FSDataOutputStream with(SharedClients.Lease own) throws IOException;
  }

  /**
   * A stream with a lease of its own: who writes goes on when somebody closes the file system, as
   * one of local files lets him. Whoever shares it makes more files, too, while anything else of
   * its user's, as the plugin or another stream, keeps the client.
   */
  private FSDataOutputStream opened(Opening opening) throws IOException {
    Optional<SharedClients.Lease> another = lease().another();
    SharedClients.Lease own =
        another.isPresent() ? another.get() : SharedClients.acquire(getConf());
    try {
      return opening.with(own);
    } catch (IOException | RuntimeException | Error e) {
      own.close();
      throw e;
    }
  }

  /**
   * The length that the file has now, not the cached one: positions count from there.
   *
   * @param bytes closed when that fails: a file of HDFS would stay under construction
   */
  private long end(String file, OutputStream bytes) throws IOException {
    try {
      return client().origin().stat(file).length();
    } catch (EleyException e) {
      try (bytes) {
        throw e;
      }
    }
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    String source = origin(from);
    String target = origin(to);
    Optional<OriginStatus> moved = existing(source);
    if (moved.isEmpty() || source.equals(OriginPaths.ROOT)) {
      return false;
    }
    if (source.equals(target)) {
      return !moved.get().directory();
    }
    Optional<OriginStatus> there = stillExisting(target);
    if (there.isPresent() && there.get().directory()) {
      target =
          (target.equals(OriginPaths.ROOT) ? "" : target)
              + source.substring(source.lastIndexOf('/'));
      there = stillExisting(target);
    }
    boolean possible =
        there.isEmpty()
            && !target.startsWith(source + "/")
            && existing(OriginPaths.parent(target)).filter(OriginStatus::directory).isPresent();
    if (!possible) {
      return false;
    }
    try {
      client().origin().rename(source, target);
      return true;
    } catch (EleyException e) {
      if (Errors.saysTaken(e)) {
        return false; // somebody else has made it since we looked
      }
      throw Errors.hadoop(e);
    } finally {
      client().forget(source);
      client().forget(target);
    }
  }

  /**
   * Renames a file onto another one, which it replaces, or to where nothing is.
   *
   * @return whether it is a file, and no directory is in its way
   */
  boolean replace(Path from, Path to) throws IOException {
    String source = origin(from);
    String target = origin(to);
    boolean possible =
        !source.equals(target)
            && existing(source).filter(found -> !found.directory()).isPresent()
            && existing(target).filter(OriginStatus::directory).isEmpty()
            && existing(OriginPaths.parent(target)).filter(OriginStatus::directory).isPresent();
    if (possible) {
      try {
        change(from, (origin, file) -> origin.replace(file, target));
      } finally {
        client().forget(target);
      }
    }
    return possible;
  }

  /**
   * Renames, and says why not. Only of a rename that the origin has not begun is said that the name
   * is taken: both names are there, too, when one that is a copy and a deletion (S3) has failed
   * behind its copy, and who then took the next name would have written twice.
   *
   * @throws FileAlreadyExistsException when the name is another one's
   */
  void renameToFree(Path from, Path to) throws IOException {
    if (!rename(from, to)) {
      var failed = new IOException("rename from " + from + " to " + to + " failed");
      throw isOnOrigin(origin(from)) && isOnOrigin(origin(to)) ? Errors.taken(to, failed) : failed;
    }
  }

  /** Whether a target is only cached, though its source is there: then it is no more. */
  boolean forgetIfGone(Path from, Path to) throws IOException {
    boolean gone = isOnOrigin(origin(from)) && !isOnOrigin(origin(to));
    if (gone) {
      client().forget(origin(to));
    }
    return gone;
  }

  /** Whether it is there now, whatever is cached. */
  private boolean isOnOrigin(String file) throws IOException {
    try {
      OriginStatus unused = client().origin().stat(file);
      return true;
    } catch (EleyException e) {
      return false;
    }
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    String file = origin(path);
    Optional<OriginStatus> there = stillExisting(file);
    if (there.isEmpty()) {
      return false;
    }
    boolean root = file.equals(OriginPaths.ROOT);
    if (there.get().directory() && (root || !recursive)) {
      boolean empty = list(file).length == 0;
      if (!empty && !recursive) {
        throw new PathIsNotEmptyDirectoryException(path.toString());
      }
      if (root) {
        // The origin is a mount point: it stays, and emptying it in one call is a mistake more
        // often than a wish.
        return false;
      }
    }
    try {
      client().origin().delete(file, recursive);
      return true;
    } catch (EleyException e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        return false; // somebody else has deleted it since we looked
      }
      throw Errors.hadoop(e);
    } finally {
      client().forget(file);
    }
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    String file = origin(path);
    OriginStatus status = status(file);
    return status.directory() ? list(file) : new FileStatus[] {hadoop(status)};
  }

  /** The hosts of the nodes that the blocks belong to, see {@link BlockHosts}. */
  @Override
  public BlockLocation @Nullable [] getFileBlockLocations(
      @Nullable FileStatus file, long start, long length) throws IOException {
    if (file == null || file.isDirectory() || !locality || start < 0 || length <= 0) {
      return super.getFileBlockLocations(file, start, length);
    }
    Set<String> executors = ExecutorHosts.ofDriver().all();
    var view = executors.isEmpty() ? Optional.<View>empty() : client().view();
    long end = Math.min(file.getLen(), start + length);
    if (view.isEmpty() || start >= end) {
      return super.getFileBlockLocations(file, start, length);
    }
    var range = new BlockHosts.Range(start, end - start);
    var hosts = BLOCK_HOSTS.of(view.get().view(), executors, origin(file.getPath()), range);
    return hosts.isEmpty()
        ? super.getFileBlockLocations(file, start, length)
        : hosts.toArray(BlockLocation[]::new);
  }

  /**
   * Whether something is there now. A yes is never what was so a while ago: on it Spark's modes of
   * writing decide, and something that others have removed would be taken for their output. The
   * coordinator asks the origin: who only reads may have no way to it.
   */
  @Override
  public boolean exists(Path path) throws IOException {
    return found(origin(path), file -> client().statNow(file)).isPresent();
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    return hadoop(status(origin(path)));
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) throws IOException {
    String directory = origin(path);
    boolean there = existing(directory).isPresent();
    requireDirectories(directory);
    try {
      client().origin().makeDirectories(directory);
      if (!there) {
        restrict(directory, permission, USUAL_OF_DIRECTORIES, () -> {});
      }
      return true;
    } catch (EleyException e) {
      throw Errors.hadoop(e);
    } finally {
      client().forget(directory);
    }
  }

  /** Owners stay, since a user may not give files away; asking for what is so already is fine. */
  @Override
  public void setOwner(Path path, @Nullable String user, @Nullable String group)
      throws IOException {
    OriginStatus now = status(origin(path));
    boolean same =
        (user == null || user.equals(now.owner())) && (group == null || group.equals(now.group()));
    if (!same) {
      throw new PathIOException(
          path.toString(), "bb:// does not change owners; use chown on the origin itself");
    }
  }

  /** The nine bits; setuid, setgid and sticky bits of the origin's file stay. */
  @Override
  public void setPermission(Path path, FsPermission permission) throws IOException {
    change(path, (origin, file) -> origin.setPermissions(file, permission.toShort() & 0777));
  }

  @Override
  public void setTimes(Path path, long modified, long accessed) throws IOException {
    change(path, (origin, file) -> origin.setTimes(file, modified, accessed));
  }

  /** The space of the origin's file system, which is where all that is written goes. */
  @Override
  public FsStatus getStatus(@Nullable Path path) throws IOException {
    String file = path == null ? OriginPaths.ROOT : origin(path);
    try {
      OriginSpace space = client().origin().space(file);
      return new FsStatus(space.capacity(), space.used(), space.free());
    } catch (EleyException e) {
      throw Errors.hadoop(e);
    }
  }

  @Override
  public IOStatistics getIOStatistics() {
    return counts.getIOStatistics();
  }

  @Override
  public void setWorkingDirectory(Path directory) {
    workingDirectory = makeAbsolute(directory);
  }

  @Override
  public Path getWorkingDirectory() {
    return workingDirectory;
  }

  @Override
  @SuppressWarnings("deprecation") // Hadoop's own callers still ask through it
  public long getDefaultBlockSize() {
    return blockSize;
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      if (lease != null) {
        lease.close();
      }
    }
  }

  private SharedClients.Lease lease() throws IOException {
    if (lease == null) {
      throw new IOException("the file system is not initialised");
    }
    return lease;
  }

  private EleyClient client() throws IOException {
    return lease().client();
  }

  private String origin(Path path) throws IOException {
    checkPath(path);
    try {
      return OriginPath.of(makeAbsolute(path));
    } catch (IllegalArgumentException e) {
      throw new FileNotFoundException(e.getMessage());
    }
  }

  private Path makeAbsolute(Path path) {
    return path.isAbsolute() ? path : new Path(workingDirectory, path);
  }

  /**
   * Sets the bits that a caller wants for something new. Those who want nothing in particular ask
   * for the usual ones: what mount and process give stays then, and costs no call.
   *
   * @param closed when that fails
   */
  private void restrict(String file, @Nullable FsPermission permission, int usual, Closeable closed)
      throws IOException {
    if (permission == null) {
      return;
    }
    int bits = permission.applyUMask(FsPermission.getUMask(getConf())).toShort() & 0777;
    if (bits == usual) {
      return;
    }
    try {
      client().origin().setPermissions(file, bits);
    } catch (EleyException e) {
      try (closed) {
        throw Errors.hadoop(e);
      }
    }
  }

  /** What is done to attributes at the origin. */
  private interface Change {
    void of(Origin origin, String file) throws EleyException;
  }

  private void change(Path path, Change change) throws IOException {
    String file = origin(path);
    try {
      change.of(client().origin(), file);
    } catch (EleyException e) {
      throw Errors.hadoop(e);
    } finally {
      client().forget(file);
    }
  }

  private OriginStatus status(String file) throws IOException {
    try {
      return client().stat(file);
    } catch (EleyException e) {
      throw Errors.hadoop(e);
    }
  }

  private Optional<OriginStatus> existing(String file) throws IOException {
    return found(file, path -> client().stat(path));
  }

  /** As it is now, whatever is cached; for changes, which go to the origin from here. */
  private Optional<OriginStatus> onOrigin(String file) throws IOException {
    Origin origin = reached(); // one that cannot be used has not lost the file
    return found(file, origin::stat);
  }

  private Origin reached() throws IOException {
    try {
      return client().origin();
    } catch (EleyException e) {
      throw Errors.hadoop(e);
    }
  }

  /** Something is in the way only if it is so now: the cache may not know yet that it has gone. */
  private Optional<OriginStatus> stillExisting(String file) throws IOException {
    if (existing(file).isEmpty()) {
      return Optional.empty();
    }
    Optional<OriginStatus> now = onOrigin(file);
    if (now.isEmpty()) {
      client().forget(file); // others ask, too
    }
    return now;
  }

  private interface Look {
    OriginStatus at(String file) throws IOException;
  }

  private static Optional<OriginStatus> found(String file, Look look) throws IOException {
    try {
      return Optional.of(look.at(file));
    } catch (EleyException e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        return Optional.empty();
      }
      throw Errors.hadoop(e);
    }
  }

  private FileStatus[] list(String directory) throws IOException {
    try {
      return client().list(directory).stream().map(this::hadoop).toArray(FileStatus[]::new);
    } catch (EleyException e) {
      throw Errors.hadoop(e);
    }
  }

  private FileStatus hadoop(OriginStatus s) {
    return new FileStatus(
        s.length(),
        s.directory(),
        1,
        s.directory() ? 0 : blockSize,
        s.modifiedMillis(),
        0,
        new FsPermission((short) s.permissions()),
        s.owner(),
        s.group(),
        new Path(ROOT.getScheme(), "", s.path()));
  }

  /** The nearest existing ancestor (or the path itself) must be a directory. */
  private void requireDirectories(String directory) throws IOException {
    String at = directory;
    while (true) {
      Optional<OriginStatus> there = existing(at);
      if (there.isPresent()) {
        if (!there.get().directory()) {
          throw new ParentNotDirectoryException(at + " is a file, not a directory");
        }
        return;
      }
      if (at.equals(OriginPaths.ROOT)) {
        return;
      }
      at = OriginPaths.parent(at);
    }
  }

  private FSDataOutputStream output(
      SharedClients.Lease own, String file, OutputStream bytes, long start) throws IOException {
    var passing = new PassThroughOutput(own, file, bytes, counts.writer());
    return new FSDataOutputStream(passing, statistics, start);
  }
}
