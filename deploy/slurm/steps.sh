# --- steps: shared by the scripts that `eley sbatch` and burst_buffer.lua submit ----------------------
say() { echo "eley: $*" >&2; }

awaited= # who waits for the nodes
node_address= # what finds in $address, in a node's step, where the node is to be; without it each node decides

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }

# All of a job's steps share all that it has of a host. A task asks for no number of cores, since 22.05 not even for
# the job's own: where a site binds tasks (task/affinity), a worker with all its executors would have one. Nor does
# one task's end end the others, at once (KillOnBadExit) or after a while (WaitTime): nodes and workers may die alone.
STEP_OPTIONS="--overlap --mem=0 --cpu-bind=none --kill-on-bad-exit=0 --wait=0"

# What sbatch was given for coordinator and nodes is ELEY_SETTINGS. Before bash 4.4 an array without words is unset to
# `set -u`, which is why it is asked each time whether it has any.

# When something was so far, a file each, from whatever host. Steps have MARKS, too.
mark() { date +%s.%N >"$MARKS/$1"; }

# So many of what.
count() { if [ "$1" = 1 ]; then echo "1 $2"; else echo "$1 $2s"; fi; }

# What a person filters his own lists by (SQUEUE_PARTITION=...) must not hide a job's steps or hosts from it.
squeue() ( unset "${!SQUEUE_@}" SLURM_TIME_FORMAT; command squeue "$@" )
sinfo() ( unset "${!SINFO_@}"; command sinfo "$@" )
cancel() ( unset "${!SCANCEL_@}"; scancel "$@" )

# Steps are told to end by their names: a srun that is killed would leave its step to Slurm's patience.
steps() {
  local job
  for job in "$SLURM_JOB_ID" ${SLURM_JOB_ID_HET_GROUP_0:-} ${SLURM_JOB_ID_HET_GROUP_1:-}; do
    squeue --noheader --steps --jobs="$job" --format='%i %j' 2>/dev/null
  done | sort -u | own_steps | awk -v name="$1" '$2 ~ "^" name { print $1 }'
}

# One job of an array has the array's own number, by which Slurm names the steps of all of them. A job that was
# submitted in one of them has its own number, and that array's names in its environment. No array has components.
own_steps() {
  if [ -n "${SLURM_ARRAY_TASK_ID:-}" ] && [ -z "${SLURM_HET_SIZE:-}" ]; then
    awk -v task="${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID." -v job="$SLURM_JOB_ID." \
      'index($1, task) == 1 || index($1, job) == 1'
  else
    cat
  fi
}

end_steps() { # names, in the order in which they end; all of ours are given GRACE seconds
  local name step left told deadline
  [ -z "$awaited" ] || kill "$awaited" 2>/dev/null
  for name in "$@"; do
    for step in $(steps "$name"); do
      cancel --signal=TERM "$step" 2>/dev/null
    done
  done
  told=$SECONDS
  deadline=$((SECONDS + GRACE))
  while left=$(steps eley-); [ -n "$left" ] && [ $SECONDS -lt $deadline ]; do
    # A step that is just being started refuses signals, and would not tidy up before Slurm kills it.
    if [ $SECONDS -gt $told ]; then
      for step in $left; do
        cancel --signal=TERM "$step" 2>/dev/null
      done
      told=$SECONDS
    fi
    sleep 0.2
  done
  for step in $(steps eley-); do
    say "step $step has not ended in time"
    # With its signal named, scancel tells the hosts. Else it tells slurmctld, which from 25.11 on takes a step of a
    # job's first component for the whole job.
    cancel --signal=KILL "$step"
  done
}

# Where Spark spills. Each host says it for itself: a site's prolog may give each step's host a SLURM_TMPDIR of its own.
export SPILLS=${SPILLS:-}
SPILLS_HERE='spills=${SPILLS:-${SLURM_TMPDIR:-/tmp}}'

# A step that was killed outright could not tidy up behind itself.
clean() { # on which hosts, how many, what names begin with; without a directory they are where Spark spills
  "$1" --nodes="$2" --ntasks="$2" --ntasks-per-node=1 --job-name=eley-clean --time=1 --immediate=5 \
    bash -c "$SPILLS_HERE"'
      for name in "$@"; do [ "${name#/}" != "$name" ] || name=$spills/$name; rm -rf "$name"*; done' \
    eley-clean "${@:3}" 2>>"$dir/logs/clean.log"
}

in_time() { # command that succeeds when something is there; whether it does so within READY seconds
  local i
  for ((i = 0; i < READY * 10; i++)); do
    "$@" && return
    sleep 0.1
  done
  return 1
}

# What a step has said last, or srun of it if nothing else was said.
said_last() { # its log
  local said
  said=$(grep -v '^srun:' "$1" | tail -n 1)
  said=${said:-$(tail -n 1 "$1")}
  echo "${said#eley: }" # which the line that quotes it says once
}

# On which host a task has failed, as srun tells: that is where a mount or Java is missing.
failed_on() { # the step's log
  sed -n 's/^srun: error: \([^: ]*\): tasks\? .*/ on \1/p' "$1" | tail -n 1
}

wait_for() { # what, its process, its log, command that succeeds when it is there
  in_time there_or_over "$2" "${@:4}" || fail "$1 did not come up in $READY s: $(said_last "$3")"
  "${@:4}" || fail "$1 has ended$(failed_on "$3"): $(said_last "$3")"
}

there_or_over() { "${@:2}" || ! kill -0 "$1" 2>/dev/null; } # process, command

# What would fail later, said now, in one line. A mount may hang on any of the hosts, and with it who looks there.
check_origin() { # component of the buffer
  local answers=$dir/logs/check.out asked i silent why missing
  # A store behind Hadoop's clients was looked at when the job was submitted, and coordinator and nodes say what
  # they cannot reach.
  [ "${ORIGIN#/}" != "$ORIGIN" ] || return 0
  on_buffer --nodes="$BUFFER_NODES" --ntasks="$BUFFER_NODES" --ntasks-per-node=1 --job-name=eley-check \
    bash -c 'found=missing; [ -d "$1" ] && [ -r "$1" ] && found=there; echo "$SLURMD_NODENAME $found"' \
    eley-check "$ORIGIN" >"$answers" 2>"$dir/logs/check.log" &
  asked=$!
  for ((i = 0; i < READY * 10; i++)); do
    kill -0 $asked 2>/dev/null || break
    sleep 0.1
  done
  if kill -0 $asked 2>/dev/null; then
    silent=$(buffer_hosts "$1" | tr , '\n' | grep -vxFf <(cut -d' ' -f1 "$answers"))
    why=$(tail -n 1 "$dir/logs/check.log") # of a step that has not begun
    fail "the origin $ORIGIN has not answered in $READY s on:" $silent ${why:+"($why)"}
  fi
  wait $asked || fail "steps cannot be started: $(tail -n 1 "$dir/logs/check.log")"
  missing=$(sed -n 's/ missing$//p' "$answers")
  [ -z "$missing" ] || fail "the origin $ORIGIN is not there, or not readable, on:" $missing
}

# Spark sets no limit to what it spills. A disk has its own; in RAM it is the job's memory that is taken, so who
# has asked for none is told before a host runs out of it.
check_spills() { # the command that starts a step where Spark spills
  local where
  [ "$SPILL_MEMORY" = 0m ] || return 0
  where=$("$1" --nodes=1 --ntasks=1 --job-name=eley-check \
    bash -c "$SPILLS_HERE"'
      [[ $(stat -f -c %T "$spills") != @(tmpfs|ramfs) ]] || echo "$spills on $SLURMD_NODENAME"' \
    2>>"$dir/logs/check.log")
  [ -z "$where" ] || say "$where is RAM: what Spark spills there is memory that this job has not asked" \
    "for; give --spill-dir a disk, or --spill-memory what may be spilled"
}

# A coordinator that has come up and then ends by itself is started again: nodes and drivers report again what
# it has lost. One that has never come up is an error, which its log's last line explains.
start_coordinator() { # the command that starts a step where it is to run
  rm -f "$MARKS/ending" # of a run that was killed while it tidied up
  # Whoever belongs to it may come up beside it, since the secret is there already.
  mkdir -p "$deployment" && random >"$deployment/secret" || fail "the directory $deployment cannot be made"
  mark asked
  "$1" --nodes=1 --ntasks=1 --job-name=eley-coordinator \
    bash -c 'date +%s.%N >"$MARKS/coordinator-step"
      trap "trap \"\" TERM INT; kill \$! 2>/dev/null; wait \$!; exit 143" TERM INT
      while :; do
        "${@:2}" &
        wait $!
        status=$?
        [ -s "$1/coordinator.address" ] || exit $status
        echo "eley: the coordinator has ended with $status; it is started again" >&2
        sleep 0.5
      done' \
    eley-coordinator "$deployment" \
    env "ELEY_JAVA_OPTS=-Xmx$COORDINATOR_HEAP ${ELEY_JAVA_OPTS:-}" \
    "$ELEY" coordinator -D eley.coordinator.directory="$deployment" -D eley.coordinator.origin="$ORIGIN" \
    -D eley.mode="$MODE" -D eley.signal.slurm="$WATCH_SLURM" \
    -D eley.signal.neighbours="${HOME:+$HOME/.eley/neighbours}" ${ELEY_SETTINGS[@]+"${ELEY_SETTINGS[@]}"} \
    >"$dir/logs/coordinator.log" 2>&1 &
  coordinator_step=$!
}

# What a step with a private directory goes on with, once $private is its name and $beside the place of a second
# one, or empty: named and known to the trap before they are there, because TERM may come while they are being
# made. Slurm tells to end and so do we: whoever comes second must not end the tidying up. Slurm may also lose
# its patience before the process has ended (KillWait, 30 s by default): the process is told first, since a node
# whose directory goes untold blames somebody else for it; then what must not be left goes; and the process, which has
# nothing to save, is not waited for longer than 5 s. It has a session of its own, since a worker may be gone before
# its executors, which then write into what is being removed: Slurm's control groups tell nobody but the step itself
# to end.
# A step that was still being launched when the job began to end was told nothing, and finds a mark, or no job's
# directory any more.
IN_PRIVATE='
  name=${private##*/}-$SLURM_PROCID-$RANDOM$RANDOM
  all=("${private%/*}/$name" ${beside:+"$beside/$name"})
  private=${all[0]}
  signal_all() { # of the session, some of which have groups of their own; without procps of its first group
    kill "-$1" -- -$! $! $(pgrep -s $! 2>/dev/null) 2>/dev/null
  }
  wait_for_end() { # of them, so many seconds
    local patience=$((SECONDS + $1))
    while { pgrep -s $! || kill -0 -- -$!; } >/dev/null 2>&1 && [ $SECONDS -lt $patience ]; do sleep 0.1; done
  }
  trap "trap \"\" TERM INT; exit 143" TERM INT
  trap "signal_all TERM; rm -rf \"\${all[@]}\"; wait_for_end 5
    signal_all KILL; wait \$! 2>/dev/null; wait_for_end 2; rm -rf \"\${all[@]}\"" EXIT
  mkdir -m 700 "${all[@]}" || exit 1
  [ -e "$MARKS" ] && [ ! -e "$MARKS/ending" ] || exit 1'

# A node on each buffer host, with private directories on the RAM-disk and where it overflows that are gone when
# the step is. The node makes its own inside: one that is still starting when the step has tidied up finds no
# place and makes none. Nodes, and who waits for them, look for the coordinator while it comes up.
start_nodes() { # component of the buffer
  on_buffer --nodes="$BUFFER_NODES" --ntasks="$BUFFER_NODES" --ntasks-per-node=1 --job-name=eley-node \
    env "ELEY_JAVA_OPTS=-Xmx$NODE_HEAP ${ELEY_JAVA_OPTS:-}" \
    bash -c 'date +%s.%N >"$MARKS/node-step-$SLURM_PROCID"
      private=$1/eley-$SLURM_JOB_ID beside=$6'"$IN_PRIVATE"'
      address='"$node_address"'
      setsid "$2" node -D eley.deployment="$3" -D eley.node.directory="$private/blocks" -D eley.node.memory="$4" \
        -D eley.node.name="${SLURMD_NODENAME:-$(hostname)}" -D eley.node.coordinator.wait="$5"s \
        ${address:+-D eley.node.listen-host="$address" -D eley.node.advertised-host="$address"} "${@:7}" \
        ${beside:+-D eley.node.overflow.directory="${all[1]}/scratch"} &
      wait $!' \
    eley-node "$RAM_DISK" "$ELEY" "$deployment" "$BUFFER_MEMORY" "$READY" "${OVERFLOW:-}" \
    ${ELEY_SETTINGS[@]+"${ELEY_SETTINGS[@]}"} \
    >"$dir/logs/nodes.log" 2>&1 &
  look_for_nodes $! "$BUFFER_NODES" "$(buffer_hosts "$1")"
}

# Nodes that have registered may not serve yet, and tasks would read past them.
look_for_nodes() { # the srun of their step, how many, their names
  nodes_step=$1 node_names=$3
  "$ELEY" await --deployment "$deployment" --nodes "$2" --names "$3" --serving \
    --timeout "${READY}s" --spark-conf >"$dir/conf/buffer.conf" 2>"$dir/logs/await.log" &
  awaited=$!
}

wait_for_coordinator() {
  wait_for "the coordinator" "$coordinator_step" "$dir/logs/coordinator.log" test -s "$deployment/coordinator.address"
  mark coordinator
}

buffer_hosts() { # of which component; the job's own when there is only one
  local list=SLURM_JOB_NODELIST${SLURM_HET_SIZE:+_HET_GROUP_$1}
  scontrol show hostnames "${!list}" 2>/dev/null | head -n "$BUFFER_NODES" | paste -sd,
}

# What you may say of clients, which are in Spark's processes (`SparkSettings`).
OF_CLIENTS='^eley\.((client|deployment|fs|shuffle)[.=]|delay\.max=|network\.protection=)'

# Ready when every node serves; the names of those that do not are in the complaint.
await_nodes() {
  while kill -0 "$awaited" 2>/dev/null; do
    # Where their step has ended, none comes any more.
    kill -0 "$nodes_step" 2>/dev/null || fail "all nodes have ended, ${node_names//,/, }: $(said_last "$dir/logs/nodes.log")"
    sleep 0.1
  done
  wait "$awaited" || fail "$(tail -n 1 "$dir/logs/await.log" | sed 's/^eley: //'): $(said_last "$dir/logs/nodes.log")"
  awaited=
  mark nodes
  {
    # Where the buffer is it says itself, behind it.
    for setting in ${ELEY_SETTINGS[@]+"${ELEY_SETTINGS[@]}"}; do
      [[ ! $setting =~ $OF_CLIENTS ]] || echo "spark.hadoop.${setting%%=*} ${setting#*=}"
    done
    cat "$dir/conf/buffer.conf"
    # By the name that was typed, which may be a link's: unchanged paths have it, too. Of two lines the last one counts.
    [ "${ORIGIN#/}" = "$ORIGIN" ] || echo "spark.hadoop.eley.client.origin $ORIGIN"
  } >>"$dir/conf/spark-defaults.conf"
}
