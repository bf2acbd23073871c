#!/bin/bash
# An example of Slurm's Prolog (slurm.conf), run as root on each host before a job's first step: lets the
# operator of Eley see who does I/O.
#
# Eley's sampler asks `sstat`, which answers a job's owner, a Slurm operator and root. A site-wide coordinator
# that runs as user eley is made an operator once, with accounting by slurmdbd:
#     sacctmgr -i add user eley account=eley adminlevel=operator
# Without slurmdbd there are no operators: run the coordinator as root or SlurmUser, or let each user's own
# deployment see that user's jobs only. Jobs hidden by PrivateData are seen by operators.
#
# What remains for a prolog is to clear what a job that died with its host, or was killed as a whole, has left: on the
# RAM-disk eley-JOB-… of `eley sbatch`, and eley-node-N-JOB-… of `eley start` and `eley run` in a job; on disks the
# same where nodes overflow (--overflow), and eley-spark-JOB-… where Spark spills (--spill-dir). Add such disks here:
places=(/dev/shm /tmp)

# Anybody can make directories of such names on a RAM-disk, and as many as he likes. They must neither keep a job from
# starting nor keep slurmctld busy: few jobs are asked about, and files deleted, for a short time. What is left waits
# for the next job.
jobs=20
seconds=20

# Prints the number of the job's user, "gone", or "unknown": a squeue that fails says nothing about the job, but when
# it knows no such job. slurmctld may be down while jobs run. Jobs are in more states than one thinks of, as a stopped
# one, and only those that are over have left something. squeue may warn of a site's configuration beside its answer.
owner_of_job() {
  local said owner state
  if said=$(timeout 10 squeue --noheader --jobs="$1" --states=all --format='%U %T' 2>&1); then
    while read -r owner state; do
      case $state in
        BOOT_FAIL | CANCELLED | COMPLETED | DEADLINE | FAILED | NODE_FAIL | OUT_OF_MEMORY | PREEMPTED | REVOKED | \
          TIMEOUT) ;;
        *) [[ "$owner $state" =~ ^[0-9]+\ [A-Z_]*$ ]] && echo "$owner" && return ;;
      esac
    done <<<"$said"
    echo gone
  elif [[ $said == *"nvalid job id"* ]]; then
    echo gone
  else
    echo unknown
  fi
}

declare -A owners=()
# Without IFS read would take away blanks at a name's end, and with them what tells it from somebody else's.
while [ $SECONDS -lt $seconds ] && IFS= read -r -t $((seconds - SECONDS)) -d '' entry; do
  owner=${entry%% *}
  left=${entry#* }
  job=${left##*/eley-}
  job=${job#node-*-}
  job=${job#spark-}
  job=${job%%-*}
  [[ $job =~ ^[0-9]{1,10}$ ]] || continue
  if [ -z "${owners[$job]:-}" ]; then
    [ ${#owners[@]} -lt $jobs ] || continue
    owners[$job]=$(owner_of_job "$job")
  fi
  # A directory of somebody else's is not this job's.
  case ${owners[$job]//[[:space:]]/} in
    unknown | "$owner") ;;
    *)
      rest=$((seconds - SECONDS))
      [ $rest -gt 0 ] && timeout $rest rm -rf "$left"
      ;;
  esac
done < <(find "${places[@]/%//}" -maxdepth 1 -type d \( -name 'eley-[0-9]*-[0-9]*-[0-9]*' \
  -o -name 'eley-node-[0-9]*-[0-9]*-[0-9]*' -o -name 'eley-spark-[0-9]*-*' \) -printf '%U %p\0' | shuf -z)
exit 0
