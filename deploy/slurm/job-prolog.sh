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
# What remains for a prolog is to clear what a job that died with its host has left on the RAM-disk.

# A squeue that fails says nothing about the job, but when it knows no such job: slurmctld may be down while jobs run.
job_is_gone() {
  local said
  if said=$(squeue --noheader --jobs="$1" --states=R,CG,PD,S --format=%i 2>&1); then
    [ -z "$said" ]
  else
    [[ $said == *"nvalid job id"* ]]
  fi
}

for left in /dev/shm/eley-[0-9]*-[0-9]*-[0-9]*; do
  [ -d "$left" ] || continue
  job=${left#/dev/shm/eley-}
  job=${job%%-*}
  if job_is_gone "$job"; then rm -rf "$left"; fi
done
exit 0
