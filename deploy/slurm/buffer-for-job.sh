#!/bin/bash
# A burst buffer for one other job, on the buffer's own hosts and with the rights of that job's user.
# Submitted by eley-slurm.service (`eley slurm serve`) for a job with a #BB_LUA directive; it ends with it.
#
# It tells how far it is by its comment in Slurm, which needs no file that SlurmUser and user both may read:
#   starting · ready · staging … · staged … · out: … · failed: …
# beside the mark by which other deployments know that it is Eley's, and publishes the job's results when it is sent USR1.
set -uo pipefail
umask 077

#@SETTINGS@

dir=$JOBS/$MAIN_JOB
deployment=$dir/deployment
publish=no
export ELEY_SERVED_JOB=$MAIN_JOB # whose I/O is not foreign
export MARKS=$dir/logs/marks
unset SLURM_EXPORT_ENV             # or steps would not be told

#@STEPS@

word() { scontrol update "jobid=$SLURM_JOB_ID" "comment=$* eley=job" >/dev/null 2>&1; }

fail() { # and stay for a moment, so that whoever waits sees why
  say "$*"
  word "failed: $*"
  sleep 20 &
  wait $!
  exit 1
}

# A squeue that fails says nothing about the job, but when it knows no such job.
job_is_there() {
  local said
  if said=$(squeue --noheader --jobs="$MAIN_JOB" --format=%i 2>"$dir/logs/queue.log"); then
    [ -n "$said" ]
  else
    ! grep -q 'nvalid job id' "$dir/logs/queue.log"
  fi
}

on_buffer() { srun $STEP_OPTIONS "$@"; }

finish() {
  local status=$?
  trap '' TERM INT USR1
  trap - EXIT
  mark ending
  end_steps eley-node eley-coordinator eley-check
  clean on_buffer "$BUFFER_NODES" "$RAM_DISK/eley-$SLURM_JOB_ID-" ${OVERFLOW:+"$OVERFLOW/eley-$SLURM_JOB_ID-"}
  [ -f "$deployment/ledger.csv" ] && cp "$deployment/ledger.csv" "$JOBS/ledger-$MAIN_JOB.csv"
  # What was never published stays, if there is any.
  [ -z "$STAGE_OUT" ] || rmdir "$STAGE_OUT/.eley-$MAIN_JOB" 2>/dev/null
  rm -rf "$dir"
  exit "$status"
}

# Where the job puts its results, and holds open by 9 what is published. Who else may write to STAGE_OUT could have put
# a link of that name there, to whatever directory of this user's; or puts one there later. When it cannot be had, why
# says so and nothing is open.
open_hidden() {
  local log=$dir/logs/out.log
  made=$STAGE_OUT/.eley-$MAIN_JOB why=
  # One that is there is this user's own, of the buffer before this one.
  mkdir -p "$STAGE_OUT" 2>"$log" && { mkdir -m 700 "$made" 2>"$log" || [ -d "$made" ]; } || why=$(tail -n 1 "$log")
  exec 9<&-
  [ -z "$why" ] || return 1
  exec 9<"$made" || { why="$made cannot be opened"; return 1; }
  [ "$(readlink /proc/self/fd/9)" = "$(cd -P "$STAGE_OUT" && pwd)/.eley-$MAIN_JOB" ] \
    && [ -O /proc/self/fd/9/. ] && {
      chmod go-w /proc/self/fd/9/. 2>/dev/null # of one that the job has made anew, under its user's umask
      [[ $(stat -c %A /proc/self/fd/9/.) == d????-??-? ]]
    } && return
  exec 9<&-
  why="$made is not this job's: somebody else has made it, or may write to it"
  return 1
}

# The results appear whole or not at all: nothing is moved before it is clear that all can be.
publish_results() {
  local all entry name count=0
  shopt -s nullglob dotglob
  all=(/proc/self/fd/9/*)
  if [ ${#all[@]} = 0 ]; then # perhaps removed and made anew, as Spark does to what it overwrites
    open_hidden || { word "failed: $why"; return; }
    all=(/proc/self/fd/9/*)
  fi
  for entry in ${all[@]+"${all[@]}"}; do
    name=${entry##*/}
    if [ -e "$STAGE_OUT/$name" ] || [ -L "$STAGE_OUT/$name" ]; then
      word "failed: $STAGE_OUT/$name exists already; the results are in $made"
      return
    fi
  done
  for entry in ${all[@]+"${all[@]}"}; do
    if ! mv -n "$entry" "$STAGE_OUT/" 2>>"$dir/logs/out.log" || [ -e "$entry" ] || [ -L "$entry" ]; then
      word "failed: results cannot be moved from $made: $(tail -n 1 "$dir/logs/out.log")"
      return
    fi
    count=$((count + 1))
  done
  word "out: $count in $STAGE_OUT"
}

# --- before anything is started ------------------------------------------------------------------------
word starting
mkdir -p "$MARKS" "$dir/conf" || fail "the directory $dir cannot be made"
[ -O "$JOBS" ] || fail "the directory $JOBS is somebody else's"
exec >>"$dir/logs/script.log" 2>&1
trap finish EXIT
# Who is told to end twice must not leave the tidying up.
trap "trap '' TERM INT; exit 143" TERM
trap "trap '' TERM INT; exit 130" INT
trap 'publish=yes' USR1
[ -x "$ELEY" ] || fail "there is no $ELEY on $(hostname)"
check_origin 0
[ -z "$STAGE_OUT" ] || open_hidden || fail "$why"

# --- coordinator and nodes -------------------------------------------------------------------------------
start_coordinator on_buffer
start_nodes 0
wait_for_coordinator
await_nodes
word ready

# --- the first input -------------------------------------------------------------------------------------
if [ -n "$STAGE_IN" ]; then
  word staging
  told=
  log=$dir/logs/stage-in.log
  "$ELEY" stage-in --deployment "$deployment" "$STAGE_IN" >"$log" 2>&1 &
  stage=$!
  until grep -q '^staged ' "$log"; do
    job_is_there || exit 0
    kill -0 $stage 2>/dev/null || fail "stage-in: $(tail -n 1 "$log" | sed 's/^eley: //')"
    far=$(grep '^staging ' "$log" | tail -n 1) # a line every few seconds
    [ "$far" = "$told" ] || word "$far"
    told=$far
    sleep 0.5 &
    wait $!
  done
  word "$(grep '^staged ' "$log" | tail -n 1)"
fi

# --- as long as there is a job to serve -----------------------------------------------------------------
while job_is_there; do
  sleep 15 &
  nap=$!
  wait $nap
  kill $nap 2>/dev/null
  if [ "$publish" = yes ]; then
    publish=no
    publish_results
  fi
done
say "job $MAIN_JOB is gone"
