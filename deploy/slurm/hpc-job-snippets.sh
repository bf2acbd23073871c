# Snippets for HPC jobs, so that Spark jobs beside them know when they do I/O. Copy what fits; none of
# them changes what the job does, and each works alone. See docs/slurm.md. The name is the one that the
# job has where its bytes are seen in Slurm's accounting: under two names it would be two applications.

# 1. A phase around one command, when Eley's deployment directory is known to the job. Runs the
#    command also when there is no coordinator; the exit code is the command's.
eley phase run --app "$SLURM_JOB_NAME@$SLURM_JOB_USER#$SLURM_JOB_ID" \
  --deployment "$ELEY_DEPLOYMENT" -- srun ./write_checkpoint

# 2. The same with nothing but curl. Where there is no coordinator (any more) it fails, which is to end no job (set -e).
announce() {
  curl -K "$ELEY_DEPLOYMENT/announce.curl" \
    --data-urlencode "app=$SLURM_JOB_NAME@$SLURM_JOB_USER#$SLURM_JOB_ID" \
    "$(cat "$ELEY_DEPLOYMENT/announce.url")/$1" || true
}
announce begin
srun ./write_checkpoint
announce end

# 3. The phase word in the job's own comment: every Eley deployment that watches Slurm hears it within
#    a second (eley.signal.slurm.queue-interval), and nobody needs to know of anybody.
phase() { scontrol update jobid="$SLURM_JOB_ID" comment="phase=$1" || true; }
phase io
srun ./write_checkpoint
phase compute

# 4. Bandwidth as a licence, for co-scheduling: with `Licenses=pfs_bw:100` in slurm.conf, jobs that ask
#    for more than is free wait for each other. A licence is held for the whole job: a tool to keep two
#    heavy jobs apart, not one for phases.
#SBATCH --licenses=pfs_bw:60
