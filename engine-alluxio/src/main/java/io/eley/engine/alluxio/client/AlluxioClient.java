package io.eley.engine.alluxio.client;

import alluxio.AlluxioURI;
import alluxio.client.block.stream.BlockWorkerClient;
import alluxio.client.file.FileSystem;
import alluxio.client.file.FileSystemContext;
import alluxio.client.file.URIStatus;
import alluxio.client.meta.RetryHandlingMetaMasterClient;
import alluxio.conf.Configuration;
import alluxio.conf.InstancedConfiguration;
import alluxio.conf.PropertyKey;
import alluxio.exception.AccessControlException;
import alluxio.exception.AlluxioException;
import alluxio.exception.FileDoesNotExistException;
import alluxio.exception.status.NotFoundException;
import alluxio.grpc.BlockStatus;
import alluxio.grpc.FileSystemMasterCommonPOptions;
import alluxio.grpc.GetStatusPOptions;
import alluxio.grpc.LoadMetadataPType;
import alluxio.grpc.LoadRequest;
import alluxio.grpc.LoadResponse;
import alluxio.grpc.MasterInfoField;
import alluxio.grpc.RemoveBlockRequest;
import alluxio.grpc.SetAttributePOptions;
import alluxio.grpc.TtlAction;
import alluxio.grpc.UfsReadOptions;
import alluxio.master.MasterClientContext;
import alluxio.resource.CloseableResource;
import alluxio.util.FormatUtils;
import alluxio.wire.WorkerInfo;
import alluxio.wire.WorkerNetAddress;
import io.eley.bb.api.error.EleyException;
import io.eley.bb.api.error.ErrorCode;
import io.eley.engine.alluxio.AlluxioPort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The port over Alluxio's own client of the 2.9 line. {@code load} and {@code removeBlock} are
 * calls to one worker; the rest goes to the master.
 */
public final class AlluxioClient implements AlluxioPort {
  /** gRPC's numbers of states, which a worker's answer names. */
  private static final int RESOURCE_EXHAUSTED = 8;

  private static final int NOT_FOUND = 5;

  /** Of the servers; a mount may have its own. */
  private static final PropertyKey BLOCK_SIZE = PropertyKey.USER_BLOCK_SIZE_BYTES_DEFAULT;

  private final FileSystemContext context;
  private final FileSystem files;
  private final Map<String, WorkerNetAddress> addresses = new ConcurrentHashMap<>();

  /** A client of this master; the first call connects. */
  public AlluxioClient(String master) {
    int colon = master.lastIndexOf(':');
    InstancedConfiguration conf = Configuration.copyGlobal();
    conf.set(PropertyKey.MASTER_HOSTNAME, (Object) master.substring(0, colon));
    conf.set(PropertyKey.MASTER_RPC_PORT, Integer.parseInt(master.substring(colon + 1)));
    // The default is two minutes; a hold, or whoever starts us, does not wait for that.
    conf.set(PropertyKey.USER_RPC_RETRY_MAX_DURATION, (Object) "3s");
    conf.set(PropertyKey.USER_METRICS_COLLECTION_ENABLED, false);
    conf.set(PropertyKey.USER_CONF_SYNC_INTERVAL, (Object) "1h");
    context = FileSystemContext.create(conf);
    files = FileSystem.Factory.create(context);
  }

  /** A call to Alluxio. */
  private interface Call<T> {
    T make() throws IOException, AlluxioException;
  }

  private static <T> T call(String what, Call<T> call) throws EleyException {
    try {
      return call.make();
    } catch (FileDoesNotExistException | NotFoundException e) {
      throw new EleyException(ErrorCode.NOT_FOUND, what + ": " + e.getMessage(), e);
    } catch (AccessControlException e) {
      throw new EleyException(ErrorCode.ACCESS_DENIED, what + ": " + e.getMessage(), e);
    } catch (IOException | AlluxioException | RuntimeException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, what + ": " + e.getMessage(), e);
    }
  }

  @Override
  public String version() throws EleyException {
    return call(
        "ask Alluxio's master for its version",
        () -> {
          var master = MasterClientContext.newBuilder(context.getClientContext()).build();
          try (var meta = new RetryHandlingMetaMasterClient(master)) {
            return meta.getMasterInfo(Set.of(MasterInfoField.VERSION)).getVersion();
          }
        });
  }

  @Override
  public List<Mount> mounts() throws EleyException {
    return call(
        "ask Alluxio's master for its mounts",
        () -> {
          context.getClientContext().loadConfIfNotLoaded(context.getMasterAddress());
          var usual = context.getClusterConf();
          var mounts = new ArrayList<Mount>();
          files
              .getMountTable()
              .forEach(
                  (path, mount) -> {
                    String own = mount.getProperties().get(BLOCK_SIZE.getName());
                    long blockSize =
                        own == null ? usual.getBytes(BLOCK_SIZE) : FormatUtils.parseSpaceSize(own);
                    mounts.add(new Mount(path, mount.getUfsUri(), blockSize));
                  });
          return List.copyOf(mounts);
        });
  }

  @Override
  public List<Worker> workers() throws EleyException {
    return call(
        "ask Alluxio's master for its workers",
        () -> {
          try (CloseableResource<alluxio.client.block.BlockMasterClient> master =
              context.acquireBlockMasterClientResource()) {
            var workers = new ArrayList<Worker>();
            for (WorkerInfo each : master.get().getWorkerInfoList()) {
              workers.add(
                  new Worker(
                      name(each.getAddress()),
                      each.getCapacityBytes(),
                      each.getUsedBytes(),
                      Duration.ofSeconds(each.getLastContactSec())));
            }
            return List.copyOf(workers);
          }
        });
  }

  private String name(WorkerNetAddress address) {
    String name = address.getHost() + ":" + address.getRpcPort();
    addresses.put(name, address);
    return name;
  }

  @Override
  public File look(String path) throws EleyException {
    return call(
        "look at " + path,
        () -> {
          var options =
              GetStatusPOptions.newBuilder()
                  .setLoadMetadataType(LoadMetadataPType.ONCE)
                  .setCommonOptions(
                      FileSystemMasterCommonPOptions.newBuilder().setSyncIntervalMs(0))
                  .build();
          return file(files.getStatus(new AlluxioURI(path), options));
        });
  }

  private File file(URIStatus status) {
    var blocks = new ArrayList<AlluxioPort.Block>();
    for (long id : status.getBlockIds()) {
      var info = status.getBlockInfo(id);
      blocks.add(
          new AlluxioPort.Block(
              id,
              info == null
                  ? List.of()
                  : info.getLocations().stream()
                      .map(each -> name(each.getWorkerAddress()))
                      .toList()));
    }
    return new File(
        status.getPath(),
        status.getLength(),
        status.getBlockSizeBytes(),
        status.getUfsPath(),
        status.getMountId(),
        new Rule(
            status.isPinned(),
            status.getTtl() < 0
                ? Optional.empty()
                : Optional.of(Duration.ofMillis(status.getTtl()))),
        blocks);
  }

  @Override
  public void load(String worker, File file, int index, Duration deadline) throws EleyException {
    long offset = index * file.blockSize();
    var block =
        alluxio.grpc.Block.newBuilder()
            .setBlockId(file.blocks().get(index).id())
            .setLength(Math.min(file.blockSize(), file.length() - offset))
            .setUfsPath(file.underPath())
            .setMountId(file.mountId())
            .setOffsetInFile(offset)
            .build();
    var request =
        LoadRequest.newBuilder()
            .addBlocks(block)
            .setOptions(
                UfsReadOptions.newBuilder()
                    .setUser(System.getProperty("user.name"))
                    .setTag("eley")
                    .setPositionShort(false)
                    .build())
            .build();
    String what = "load block " + index + " of " + file.path() + " on " + worker;
    requireLoaded(what, ask(what, worker, request, deadline));
  }

  private LoadResponse ask(String what, String worker, LoadRequest request, Duration deadline)
      throws EleyException {
    try (CloseableResource<BlockWorkerClient> client = worker(worker)) {
      // Its type is a class of Guava, which the site's client has under another name.
      var method = BlockWorkerClient.class.getMethod("load", LoadRequest.class);
      var answer = (Future<?>) method.invoke(client.get(), request);
      return (LoadResponse) answer.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new EleyException(
          ErrorCode.ORIGIN_HUNG, what + ": not done after " + deadline.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EleyException(ErrorCode.INTERRUPTED, what, e);
    } catch (ExecutionException | ReflectiveOperationException e) {
      throw new EleyException(ErrorCode.UNAVAILABLE, what + ": " + e.getCause(), e);
    }
  }

  private static void requireLoaded(String what, LoadResponse answer) throws EleyException {
    for (BlockStatus failed : answer.getBlockStatusList()) {
      if (failed.getCode() != 0) {
        ErrorCode code =
            switch (failed.getCode()) {
              case NOT_FOUND -> ErrorCode.NOT_FOUND;
              case RESOURCE_EXHAUSTED -> ErrorCode.NO_SPACE;
              default -> ErrorCode.ORIGIN_FAILED;
            };
        throw new EleyException(code, what + ": " + failed.getMessage());
      }
    }
  }

  private CloseableResource<BlockWorkerClient> worker(String name) throws EleyException {
    if (!addresses.containsKey(name)) {
      workers();
    }
    WorkerNetAddress address = addresses.get(name);
    if (address == null) {
      throw new EleyException(ErrorCode.UNAVAILABLE, "Alluxio has no worker " + name + " now");
    }
    return call("reach " + name, () -> context.acquireBlockWorkerClient(address));
  }

  @Override
  public void remove(String worker, long blockId) throws EleyException {
    try (CloseableResource<BlockWorkerClient> client = worker(worker)) {
      call(
          "free block " + blockId + " on " + worker,
          () ->
              client
                  .get()
                  .removeBlock(RemoveBlockRequest.newBuilder().setBlockId(blockId).build()));
    } catch (EleyException e) {
      if (e.code() != ErrorCode.NOT_FOUND) {
        throw e;
      }
    }
  }

  @Override
  public void keep(String path, Duration life) throws EleyException {
    setAttributes(path, true, life.toMillis());
  }

  @Override
  public void letGo(String path) throws EleyException {
    setAttributes(path, false, -1);
  }

  private void setAttributes(String path, boolean pinned, long life) throws EleyException {
    var options =
        SetAttributePOptions.newBuilder()
            .setPinned(pinned)
            .setCommonOptions(
                FileSystemMasterCommonPOptions.newBuilder()
                    .setTtl(life)
                    .setTtlAction(TtlAction.FREE))
            .build();
    call(
        "pin " + path,
        () -> {
          files.setAttribute(new AlluxioURI(path), options);
          return true;
        });
  }

  @Override
  public void close() {
    try {
      files.close();
    } catch (IOException e) {
      // It has no state of ours.
    }
  }
}
