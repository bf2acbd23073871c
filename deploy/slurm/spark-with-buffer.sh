#!/bin/bash
#@SBATCH@

# Spark through a burst buffer, inside one Slurm allocation, with nobody's rights but your own.
# Written by `eley sbatch`; edit it, keep it, submit it again with sbatch.
#
#   spark component:   coordinator · Spark master · Spark workers · your command (this script's host)
#   buffer component:  one Eley node on each of its hosts
#
# Everything is a job step (srun), so Slurm accounts for it and ends it with the job. What is shared
# between hosts goes through the job's directory, which must be on a file system that all of them see.
set -uo pipefail
own_umask=$(umask) # for what your command and its executors write; all else is for your eyes alone
umask 077

#@SETTINGS@

dir=$JOBS/$SLURM_JOB_ID
deployment=$dir/deployment
spark_log=$JOBS/spark-$SLURM_JOB_ID.log
# Submitted in another job, this one finds that job's environment: what such a script has set there, and what Slurm
# says of a job with components and does not say of this one.
if [ -n "${ELEY_DEPLOYMENT:-}" ] && [ "${SPARK_CONF_DIR:-}" = "${ELEY_DEPLOYMENT%/deployment}/conf" ]; then
  SPARK_CONF_DIR=${ELEY_OWN_SPARK_CONF:-}
  unset SPARK_LOCAL_IP
fi
SPARK_SUBMIT_OPTS=$(sed -E 's,-Djava\.io\.tmpdir="[^"]*/eley-spark-[0-9]+-driver-[^"]*" *,,g' \
  <<<"${SPARK_SUBMIT_OPTS:-}")
unset ELEY_SPARK_LOG ELEY_CONSOLE_LEVEL # or daemons would not say where they are
[ "${SLURM_JOB_ID_HET_GROUP_0:-}" = "$SLURM_JOB_ID" ] \
  || unset SLURM_HET_SIZE SLURM_JOB_ID_HET_GROUP_0 SLURM_JOB_ID_HET_GROUP_1
export ELEY_OWN_SPARK_CONF=${SPARK_CONF_DIR:-}
own_conf=${SPARK_CONF_DIR:-$SPARK_HOME/conf}
export SPARK_CONF_DIR=$dir/conf
export ELEY_DEPLOYMENT=$deployment
export MARKS=$dir/logs/marks
script=$(date +%s.%N)
began=$SECONDS
ended=
spilled=
logged=$(cat "$spark_log" 2>/dev/null | wc -l) # by a run before a requeue

#@STEPS@

fail() {
  say "$*"
  exit 1
}

# Steps have no terminal: what is typed there, also to interrupt something, is for your command. Nor have they the
# SLURM_TMPDIR of the terminal's host, which is none of this job's.
apart=
[ "$TERMINAL" = no ] || apart="env -u SLURM_TMPDIR setsid --wait"
exec 3<&0 </dev/null

# The first component is the Spark nodes'; without a second one buffers share their hosts, and helpers of an
# Alluxio the first of them.
helpers_host=
[ "$HELPERS" = 0 ] || helpers_host=$(scontrol show hostnames "$SLURM_JOB_NODELIST" 2>/dev/null | head -n 1)
# What you let sbatch export (SLURM_EXPORT_ENV) is for your command; our steps need all that stands here.
on_spark() {
  $apart srun ${SLURM_HET_SIZE:+--het-group=0} --export=ALL $STEP_OPTIONS "$@"
}
on_buffer() {
  $apart srun ${SLURM_HET_SIZE:+--het-group=1} ${helpers_host:+--nodelist="$helpers_host"} --export=ALL \
    $STEP_OPTIONS "$@"
}

# Of a JVM on a host full of executors that are just ending, or of a login host that swaps.
say_summary() {
  local file=$JOBS/summary-$SLURM_JOB_ID.txt log=$dir/logs/summary.log why
  timeout --kill-after=5 60 "$ELEY" summary --deployment "$deployment" 2>"$log" \
    | tee "$file" | sed 's/^/eley: /' >&2 && return
  [ -s "$file" ] || rm -f "$file"
  why=$(sed 's/^eley: //' "$log" | tail -n 1)
  say "the summary did not come${why:+: $why}"
}

finish() {
  local status=$?
  trap '' TERM INT
  trap - EXIT
  umask 077 # it was your command's
  # Slurm may lose its patience with the rest (KillWait): what must not be left goes first. It goes again at the end,
  # for a driver that was not dead yet.
  [ -z "$spilled" ] || rm -rf "$spilled"
  mark ending
  say "ending after $((SECONDS - began)) s, exit code $status"
  # Whoever was told to end has no time for it.
  if [ -n "$ended" ]; then say_start; fi
  if [ -n "$ended" ] && [ -s "$deployment/coordinator.address" ]; then say_summary; fi
  end_steps eley-spark eley-node eley-coordinator eley-check
  clean on_buffer "$BUFFER_NODES" "$RAM_DISK/eley-$SLURM_JOB_ID-" ${OVERFLOW:+"$OVERFLOW/eley-$SLURM_JOB_ID-"}
  clean on_spark "$SPARK_NODES" "eley-spark-$SLURM_JOB_ID-"
  begin_again
  if [ -f "$deployment/ledger.csv" ]; then
    cp "$deployment/ledger.csv" "$JOBS/ledger-$SLURM_JOB_ID.csv" && say "ledger: $JOBS/ledger-$SLURM_JOB_ID.csv"
  fi
  [ -z "$spilled" ] || rm -rf "$spilled" # here, which may be no host of the job's
  if [ -s "$spark_log" ]; then say "Spark's log: $spark_log"; else rm -f "$spark_log"; fi
  if [ "$status" = 0 ] || [ "$KEEP_LOGS" = no ]; then
    rm -rf "$dir"
  else
    rm -rf "$deployment" "$dir/conf"
    say "logs: $dir"
  fi
  exit "$status"
}

# From 25.11 on, Slurm takes a srun that ends its step of the first component for somebody who cancels the whole job.
# All of them do so when the job is requeued, which is therefore cancelled and does not begin again. When none is left
# the job's user may requeue it; where Slurm did as it should, that is refused. With a host that is down it is not
# tried: up to 26.05.3, to requeue a job that is ending may end slurmctld then.
begin_again() {
  local version restarts hosts
  [ "$REQUEUE" = yes ] && [ -n "${SLURM_HET_SIZE:-}" ] || return 0
  version=$(scontrol --version 2>/dev/null) # "slurm 26.05.3", of Debian "slurm-wlm 22.05.8"
  [[ ${version##* } > 25.1 ]] || return 0
  restarts=$(scontrol --oneliner show job "$SLURM_JOB_ID" 2>/dev/null \
    | sed -n 's/.* Restarts=\([0-9]*\).*/\1/p' | head -n 1)
  [ "${restarts:-0}" -gt "${SLURM_RESTART_COUNT:-0}" ] || return 0
  for hosts in "$SLURM_JOB_NODELIST_HET_GROUP_0" "$SLURM_JOB_NODELIST_HET_GROUP_1"; do
    [ -z "$(sinfo --noheader --nodes="$hosts" --states=down --format=%N 2>&1)" ] || return 0
  done
  if scontrol requeue "$SLURM_JOB_ID" 2>/dev/null; then
    say "requeued once more, for Slurm had cancelled it"
  fi
}

# Whose the time was until your first task ran: at each moment of the thing that the job was waiting for. The
# nodes' registration is looked for in time, also when Spark's master is waited for meanwhile. Where Slurm does not
# say when the job was submitted, it is counted from this script on: date takes no words for midnight.
say_start() {
  local submitted first
  submitted=$(squeue --noheader --jobs="$SLURM_JOB_ID" --format=%V 2>/dev/null | head -n 1)
  first=$(tail -n "+$((logged + 1))" "$spark_log" 2>/dev/null | grep -m 1 'Starting task ' \
    | sed -n 's,^\(..\)/\(..\)/\(..\) \([0-9:.]*\) .*,20\1-\2-\3 \4,p')
  say "$(awk -v script="$script" -v submitted="${submitted:+$(date +%s -d "${submitted/T/ }" 2>/dev/null)}" \
    -v first="${first:+$(date +%s.%N -d "$first")}" '
    function until(moment, whose) { if (moment > now) { spent[whose] += moment - now; now = moment } }
    function at(name,   file, time) { file = ENVIRON["MARKS"] "/" name; time = 0; getline time <file; close(file); return time + 0 }
    BEGIN {
      now = submitted ? submitted + 0 : script; from = now; whole = first > at("command")
      until(script, "Slurm"); until(at("checked"), "Slurm"); until(at("asked"), "Eley")
      until(at("coordinator-step"), "Slurm"); until(at("coordinator"), "Eley")
      for (i = 0; (step = at("node-step-" i)) > 0; i++) { last = step > last ? step : last }
      until(last, "Slurm"); until(at("nodes"), "Eley"); until(at("master"), "Spark")
      until(at("workers"), "Spark"); until(at("command"), "Eley")
      if (whole) { until(first + 0, "Spark") }
      printf "%.1f s from %s to %s: Slurm %.1f s, Eley %.1f s, Spark %.1f s", now - from,
        submitted ? "submission" : "this script", whole ? "the first task" : "your command", spent["Slurm"], spent["Eley"], spent["Spark"]
    }')"
}

# --- before anything is started: what would fail later, said now, in one line -----------------------
command -v srun >/dev/null || fail "there is no srun here: submit this script with sbatch"
[ -x "$ELEY" ] || fail "there is no $ELEY on $(hostname); is it on a shared file system?"
[ "$CONNECT" = no ] || compgen -G "$SPARK_HOME/jars/spark-connect_*-[4-9].*.jar" >/dev/null \
  || fail "$SPARK_HOME has no server of Spark Connect that wants a token: Spark 4.0 and newer have"
[ -x "$SPARK_HOME/bin/spark-class" ] || fail "there is no Spark in $SPARK_HOME on $(hostname)"
[ -z "$ELEY_OWN_SPARK_CONF" ] || [ -d "$own_conf" ] \
  || fail "SPARK_CONF_DIR is no directory on $(hostname): $own_conf"
# What is there is this job's, from before it was preempted or its host was lost, or of another job that had its number:
# of another cluster, with the same home, which may still run.
[ "${SLURM_RESTART_COUNT:-0}" != 0 ] || [ ! -e "$deployment/coordinator.address" ] \
  || fail "$dir is another job's, maybe of another cluster: give --jobs, or remove it if no such job runs"
rm -rf "$dir"
mkdir -p "$MARKS" "$dir/conf" || fail "the job's directory $dir cannot be made"
trap finish EXIT
# Who is told to end twice must not leave the tidying up.
trap "trap '' TERM INT; exit 143" TERM
trap "trap '' TERM INT; exit 130" INT

check_origin 1
mark checked

# With blocks in Alluxio: its workers of this moment, of which some may have gone, or come, since the job was
# submitted. Each has a helper; memory was asked for so many.
workers=()
look_at_alluxio() {
  local found
  found=$("$ELEY" alluxio-workers --origin "$ORIGIN" --buffer-memory "$BUFFER_MEMORY" \
    ${ELEY_SETTINGS[@]+"${ELEY_SETTINGS[@]}"} \
    2>"$dir/logs/alluxio.log") || fail "$(sed 's/^eley: //; /^Try /d' "$dir/logs/alluxio.log" | tail -n 1)"
  mapfile -t workers < <(sed -n 's/^eley\.alluxio\.worker=//p' <<<"$found")
  ELEY_SETTINGS+=(-D "$(grep -v '^eley\.alluxio\.worker=' <<<"$found")")
  [ ${#workers[@]} = "$HELPERS" ] \
    || say "Alluxio had $(count "$HELPERS" worker) at submission and has ${#workers[@]} now"
  workers=("${workers[@]:0:HELPERS}")
}
[ "$HELPERS" = 0 ] || look_at_alluxio

# Where Spark's processes of this host are found. Where its name is at 127.0.1.1, as on Debian, no other host would
# find them there: told nothing, Spark takes another address by itself.
ADDRESS='
  address=$(hostname)
  [ -z "$NETWORK" ] || address=$("$ELEY" address "$NETWORK") || exit 1
  [[ -n $NETWORK || $(getent ahostsv4 "$address") != 127.* ]] || address=
  [ -z "$address" ] || export SPARK_LOCAL_IP=$address'
export NETWORK ELEY
# Spark takes a node for one of its own host's where both are found by the same word, and reads outputs there by itself.
# With NETWORK they are. Where some of Spark's hosts have no node, tasks would wait for those that have one.
[[ -n $NETWORK || $BUFFER_NODES != "$SPARK_NODES" || -n ${SLURM_HET_SIZE:-} ]] || node_address=$ADDRESS'
      getent ahosts "$address" >/dev/null 2>&1 || address= # a host that does not know its own name has a node all the same'
for setting in ${ELEY_SETTINGS[@]+"${ELEY_SETTINGS[@]}"}; do
  [[ $setting != *[.-]host=* ]] || node_address= # you say where coordinator or nodes are found
done

# What you or the site have configured for Spark stays: all files, and of spark-defaults.conf all but what the
# job itself must say, which comes behind it. Lists of plugins and class paths have both.
configured() { # key: its value in your spark-defaults.conf, or nothing
  [ ! -r "$own_conf/spark-defaults.conf" ] || awk -v key="$1" '
    { line = $0; sub(/^[ \t]+/, "", line); split(line, word, /[ \t=:]+/) }
    word[1] == key { sub(/^[^ \t=:]+[ \t]*[=:]?[ \t]*/, "", line); sub(/[ \t]+$/, "", line); value = line }
    END { printf "%s", value }' "$own_conf/spark-defaults.conf"
}
if [ -d "$own_conf" ]; then
  [[ -r $own_conf && -x $own_conf ]] || fail "Spark's configuration in $own_conf cannot be read"
  defaults=$own_conf/spark-defaults.conf
  [[ -r $defaults || ! (-e $defaults || -L $defaults) ]] || fail "$defaults cannot be read"
  # Of what stands beside it one file may be missing, as an editor's lock, which is a link to nothing.
  cp -rL "$own_conf/." "$dir/conf/" || say "not all of Spark's configuration in $own_conf is in this job's"
  chmod -R u+rwX,go= "$dir/conf"
fi
: >>"$dir/conf/spark-defaults.conf"
echo >>"$dir/conf/spark-defaults.conf" # whose last line may have no end

# A node for each of Alluxio's workers, all on one of Spark's hosts, since no bytes pass through them. One that
# ends when the job was ready is started again; before that it is an error, which its log's last line explains.
start_helpers() {
  export WORKERS="${workers[*]}"
  on_buffer --nodes=1 --ntasks=${#workers[@]} --ntasks-per-node=${#workers[@]} --cpus-per-task=1 --overcommit \
    --job-name=eley-node \
    env "ELEY_JAVA_OPTS=-Xmx$NODE_HEAP ${ELEY_JAVA_OPTS:-}" \
    bash -c 'date +%s.%N >"$MARKS/node-step-$SLURM_PROCID"
      workers=($WORKERS) worker=${workers[SLURM_PROCID]} pause=1
      private=$1/eley-$SLURM_JOB_ID beside='"$IN_PRIVATE"'
      while :; do
        began=$SECONDS
        setsid "$2" node -D eley.deployment="$3" -D eley.node.directory="$private/blocks" -D eley.node.memory="$4" \
          -D eley.node.name="$worker" -D eley.node.coordinator.wait="$5"s "${@:6}" -D eley.alluxio.worker="$worker" &
        wait $!
        status=$?
        [ -e "$MARKS/nodes" ] || exit $status
        echo "eley: the helper of $worker has ended with $status; it is started again" >&2
        [ $((SECONDS - began)) -lt 60 ] || pause=1
        sleep $pause &
        wait $!
        pause=$((pause < 30 ? pause * 2 : 60))
      done' \
    eley-node "$RAM_DISK" "$ELEY" "$deployment" "$BUFFER_MEMORY" "$READY" ${ELEY_SETTINGS[@]+"${ELEY_SETTINGS[@]}"} \
    >"$dir/logs/nodes.log" 2>&1 &
  look_for_nodes $! ${#workers[@]} "$(IFS=, && echo "${workers[*]}")"
}

# --- coordinator, and a node with a private directory on the RAM-disk of each of the buffer's hosts ---------
start_coordinator on_spark
if [ "$HELPERS" = 0 ]; then start_nodes 1; else start_helpers; fi

# --- Spark's own cluster, authenticated ----------------------------------------------------------
secret=$(random)
# A worker's web page shows what executors print, and Spark's access lists let in everybody who gives no
# name: the pages want a client's certificate, and nobody but you can read the only one they take.
keytool=${JAVA_HOME:+$JAVA_HOME/bin/}keytool
command -v "$keytool" >/dev/null || keytool=$(dirname "$(readlink -f "$(command -v java)")")/keytool
export WEB_PASSWORD
WEB_PASSWORD=$(random)
"$keytool" -genkeypair -alias web -keyalg EC -groupname secp256r1 -dname CN=eley \
  -validity 3650 -storetype PKCS12 -keystore "$dir/conf/web.p12" -storepass:env WEB_PASSWORD >"$dir/logs/keytool.log" 2>&1 \
  || fail "keytool cannot make a key for Spark's web pages: $(tail -n 1 "$dir/logs/keytool.log")"
cat >"$dir/conf/authenticated.conf" <<CONF
spark.authenticate true
spark.authenticate.secret $secret
spark.network.crypto.enabled true
spark.master.rest.enabled false
CONF
{
  cat "$dir/conf/authenticated.conf"
  for setting in "enabled true" "protocol TLSv1.3" "needClientAuth true" "keyPassword $WEB_PASSWORD" \
    "keyStore $dir/conf/web.p12" "keyStoreType PKCS12" "keyStorePassword $WEB_PASSWORD" \
    "trustStore $dir/conf/web.p12" "trustStoreType PKCS12" "trustStorePassword $WEB_PASSWORD"; do
    echo "spark.ssl.standalone.$setting"
  done
} >"$dir/conf/spark-daemons.conf"
unset WEB_PASSWORD
# This cluster's workers run no shuffle service: an executor that a site's configuration sends to one would end.
cat "$dir/conf/authenticated.conf" - >>"$dir/conf/spark-defaults.conf" <<CONF
spark.ui.enabled false
spark.shuffle.service.enabled false
spark.driver.memory $DRIVER_MEMORY
spark.executor.memory $EXECUTOR_MEMORY
spark.executor.cores $EXECUTOR_CORES
spark.cores.max $CORES_MAX
CONF
# Spark's own lines go to the file that a process is given, warnings to its output, too. Without a file, as for
# executors and daemons, all go to the output. Your own configuration of it, should there be one, is that of drivers
# and executors. From what daemons say this script learns where they are, so those are not asked.
daemons_logging=daemons.log4j2.properties
cat >"$dir/conf/$daemons_logging" <<'CONF'
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
rootLogger.appenderRef.console.level = ${env:ELEY_CONSOLE_LEVEL:-info}
rootLogger.appenderRef.file.ref = file
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{yy/MM/dd HH:mm:ss} %p %c{1}: %m%n%ex
appender.file.type = File
appender.file.name = file
appender.file.fileName = ${env:ELEY_SPARK_LOG:-/dev/null}
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d{yy/MM/dd HH:mm:ss.SSS} %p %c{1}: %m%n%ex
CONF
[ -e "$dir/conf/log4j2.properties" ] || cp "$dir/conf/$daemons_logging" "$dir/conf/log4j2.properties"
# Of a property that is given twice Java takes the second.
cat >>"$dir/conf/spark-env.sh" <<'CONF'

[ -z "${ELEY_DAEMONS_LOGGING:-}" ] \
  || SPARK_DAEMON_JAVA_OPTS="${SPARK_DAEMON_JAVA_OPTS:-} -Dlog4j2.configurationFile=classpath:$ELEY_DAEMONS_LOGGING"
CONF
as_daemon="ELEY_DAEMONS_LOGGING=$daemons_logging"
# Alluxio's client comes behind all that Spark has, of which it brings other versions.
[ -z "$ALLUXIO_CLIENT" ] || printf '\nexport SPARK_DIST_CLASSPATH=${SPARK_DIST_CLASSPATH:+$SPARK_DIST_CLASSPATH:}%q\n' \
  "$ALLUXIO_CLIENT" >>"$dir/conf/spark-env.sh"
master_log=$dir/logs/spark-master.log
on_spark --nodes=1 --ntasks=1 --job-name=eley-spark-master env "$as_daemon" \
  bash -c "$ADDRESS"'
    exec "$1/bin/spark-class" org.apache.spark.deploy.master.Master ${address:+--host "$address"} --port 0 --webui-port 0 \
      --properties-file "$2"' \
  eley-spark "$SPARK_HOME" "$dir/conf/spark-daemons.conf" >"$master_log" 2>&1 &
master_step=$!

check_spills on_spark # a warning, while all those come up

wait_for_coordinator
master_address() { grep -m 1 -o 'spark://[][A-Za-z0-9._:-]*:[0-9]\+' "$master_log"; }
wait_for "Spark's master" "$master_step" "$master_log" master_address >/dev/null
mark master
master=$(master_address | head -n 1)
workers_log=$dir/logs/spark-workers.log
on_spark --nodes="$SPARK_NODES" --ntasks="$SPARK_NODES" --ntasks-per-node=1 --job-name=eley-spark-worker \
  env "$as_daemon" bash -c "$SPILLS_HERE"'
    private=$spills/eley-spark-$SLURM_JOB_ID beside='"$IN_PRIVATE"'
    umask "$6"
    export SPARK_LOCAL_DIRS=$private/local'"$ADDRESS"'
    setsid "$1/bin/spark-class" org.apache.spark.deploy.worker.Worker ${address:+--host "$address"} --webui-port 0 \
      --properties-file "$5" --cores "$2" --memory "$3" --work-dir "$private" "$4" &
    wait $!' \
  eley-spark "$SPARK_HOME" "$SPARK_CORES" "$SPARK_MEMORY" "$master" "$dir/conf/spark-daemons.conf" \
  "$own_umask" >"$workers_log" 2>&1 &
workers_step=$!

# --- ready when every node serves and every worker has registered --------------------------------------
await_nodes
# With fewer workers than hosts Spark runs, more slowly; without one an application waits for ever.
registered() { grep -o 'Registering worker [^ ]*' "$master_log" | sort -u | wc -l; }
no_more_to_come() { # srun tells of tasks that have ended
  local ended
  ended=$(grep -sc '^srun: error: .*: tasks\? ' "$workers_log") # which srun's shell may not have made yet
  [ $(($(registered) + ended)) -ge "$SPARK_NODES" ] || ! kill -0 "$workers_step" 2>/dev/null
}
in_time no_more_to_come
mark workers
registered=$(registered)
# What is neither srun's nor logged by workers that are well.
why=$(grep -v -e '^srun:' -e ' INFO ' -e ' WARN ' -e '^WARNING:' -e '^[[:space:]]' "$workers_log" | tail -n 1)
if [ "$registered" = 0 ] || ! kill -0 "$workers_step" 2>/dev/null; then
  fail "Spark's workers did not come up in $((SECONDS - began)) s: ${why:-$(tail -n 1 "$workers_log")}"
fi
spark_workers=$(count "$SPARK_NODES" "Spark worker")
[ "$registered" -ge "$SPARK_NODES" ] || spark_workers="$registered of $spark_workers"
{
  echo "spark.master $master"
  for key in spark.plugins:, spark.driver.extraClassPath:: spark.executor.extraClassPath::; do
    both=$(configured "${key%%:*}")
    [ -z "$both" ] || echo "${key%%:*} $(awk -v key="${key%%:*}" '
      $1 == key { sub(/^[ \t]*[^ \t]+[ \t]+/, ""); last = $0 } END { print last }' \
      "$dir/conf/spark-defaults.conf")${key#*:}$both"
  done
} >"$dir/conf/joined.conf"
cat "$dir/conf/joined.conf" >>"$dir/conf/spark-defaults.conf"
# Intermediate data in the buffer, unless you have a shuffle manager of your own.
if [ "$SCRATCH" = yes ] && [ -z "$(configured spark.shuffle.manager)" ]; then
  {
    echo "spark.shuffle.manager io.eley.spark.connector.shuffle.EleyShuffleManager"
    # Two components are two jobs to Slurm: where they share a host, each may have a /dev/shm of its own.
    [ -z "${SLURM_HET_SIZE:-}" ] || echo "spark.shuffle.readHostLocalDisk false"
  } >>"$dir/conf/spark-defaults.conf"
fi
buffer="$(count "$BUFFER_NODES" "buffer node") of $BUFFER_MEMORY"
[ "$HELPERS" = 0 ] || buffer="$BUFFER_MEMORY in each of $(count ${#workers[@]} "worker") of Alluxio"
say "ready after $((SECONDS - began)) s: $buffer, $spark_workers at $master"
[ "$registered" -ge "$SPARK_NODES" ] || [ -z "$why" ] || say "of the workers that did not come up: $why"
seen=$(grep -o 'the I/O of .* running jobs is seen' "$dir/logs/coordinator.log" | tail -n 1)
[ -z "$seen" ] || say "$seen" # of others; Slurm may not have answered yet

# --- a server of Spark Connect in the place of your command --------------------------------------------
# It takes connections of this host alone, from who has the token: nobody else on the host or on the network
# can use it, and what others send goes through a tunnel of their own.
connect_address() {
  { tail -n "+$((logged + 1))" "$spark_log" 2>/dev/null; cat "$dir/logs/connect.log" 2>/dev/null; } \
    | grep -o 'Connect server started at: [^ ]*' | head -n 1
}
connect_started() { [ -n "$(connect_address)" ]; }
say_how_to_connect() {
  local port
  wait_for "Spark Connect" "$command" "$dir/logs/connect.log" connect_started
  port=$(connect_address)
  port=${port##*:}
  say "Spark Connect listens on port $port of $(hostname), for that host alone; where you are, type"
  say "  ssh -N -L 15002:localhost:$port $(hostname) &"
  say "  export SPARK_CONNECT_AUTHENTICATE_TOKEN=\$(cat $dir/conf/connect.token)"
  say "and in Python: SparkSession.builder.remote('sc://localhost:15002').getOrCreate()"
}
if [ "$CONNECT" = yes ]; then
  random >"$dir/conf/connect.token"
  cat >>"$dir/conf/spark-defaults.conf" <<CONF
spark.connect.authenticate.token $(cat "$dir/conf/connect.token")
spark.connect.grpc.binding.address 127.0.0.1
spark.connect.grpc.binding.port 0
CONF
  COMMAND=(env "$as_daemon" "$SPARK_HOME/bin/spark-submit" --class org.apache.spark.sql.connect.service.SparkConnectServer
    --name "Spark Connect" spark-internal)
fi

# --- your command; its exit code is the job's ---------------------------------------------------------
export PATH=$SPARK_HOME/bin:$PATH
if [ -n "$NETWORK" ]; then
  SPARK_LOCAL_IP=$("$ELEY" address "$NETWORK") || fail "$(hostname) has no address in $NETWORK"
  export SPARK_LOCAL_IP # where executors find the driver
fi
# What a driver that is killed would leave behind goes with the job. A terminal's host may be none of the cluster's
# and not have the place where executors spill.
eval "$SPILLS_HERE"
here=$spills
[ "$TERMINAL" = no ] || [ -w "$spills" ] || here=${TMPDIR:-/tmp}
spilled=$(mktemp -d "$here/eley-spark-$SLURM_JOB_ID-driver-XXXXXX") || fail "a directory cannot be made in $here"
# Of a property that is given twice Java takes the second: your own.
export SPARK_LOCAL_DIRS=$spilled SPARK_SUBMIT_OPTS="-Djava.io.tmpdir=\"$spilled\" $SPARK_SUBMIT_OPTS"
export ELEY_SPARK_LOG=$spark_log ELEY_CONSOLE_LEVEL=warn
: >>"$spark_log" # ours, whose mode it keeps
mark command
umask "$own_umask"
# With Slurm's control groups only the script's own children are told to end: what they have started, as a driver
# below a script of yours, may go on, and who waits for that with it. Slurm loses its patience with all of them
# (KillWait, 30 s by default), and there is more to end in that time.
end_command() {
  local patience=$((SECONDS + 10))
  trap '' TERM INT
  kill -TERM "$command" 2>/dev/null
  while kill -0 "$command" 2>/dev/null && [ $SECONDS -lt $patience ]; do sleep 0.1; done
  if kill -KILL "$command" 2>/dev/null; then say "${COMMAND[0]} has not ended in 10 s"; fi
  wait "$command" 2>/dev/null
}
if [ "$TERMINAL" = yes ]; then
  say "job $SLURM_JOB_ID, until ${COMMAND[0]} ends; spark-submit and pyspark find everything, as in $SPARK_HOME"
  trap : INT
  "${COMMAND[@]}" <&3
else
  told=
  trap 'told=yes' TERM # before its number is known it cannot be told
  if [ "$CONNECT" = yes ]; then
    "${COMMAND[@]}" > >(tee "$dir/logs/connect.log") 2>&1 &
  else
    "${COMMAND[@]}" &
  fi
  command=$!
  trap 'end_command; exit 143' TERM
  [ -z "$told" ] || { end_command; exit 143; }
  [ "$CONNECT" = no ] || say_how_to_connect
  wait $command
fi
status=$?
ended=yes
exit $status
