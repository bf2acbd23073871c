-- An example of Slurm's job_submit/lua (JobSubmitPlugins=lua, this file beside slurm.conf): what helps
-- Eley to know HPC jobs, and Slurm to keep two heavy ones apart. Edit it; both parts work alone.

-- Jobs of these partitions are HPC jobs. Eley's deployments take them by eley.signal.slurm.jobs=account=…, partition=…
-- or name=…; the mark is for people and other tools: `scontrol show job` shows it as AdminComment.
local hpc_partitions = {hpc = true, simulation = true}

-- `--comment=pfs_bw=60` asks for 60 of the licences pfs_bw (Licenses=pfs_bw:100 in slurm.conf), held for
-- the whole job: users of tools that cannot pass --licenses still get them.
local function licences(comment)
  local tokens = (comment or ""):match("pfs_bw=(%d+)")
  return tokens and "pfs_bw:" .. tokens
end

function slurm_job_submit(job, partitions, uid)
  if hpc_partitions[job.partition or ""] then
    job.admin_comment = "eley=hpc"
  end
  local wanted = licences(job.comment)
  if wanted and not (job.licenses or ""):find("pfs_bw", 1, true) then
    job.licenses = (job.licenses and job.licenses ~= "") and job.licenses .. "," .. wanted or wanted
  end
  return slurm.SUCCESS
end

function slurm_job_modify(job, record, partitions, uid)
  return slurm.SUCCESS
end

return slurm.SUCCESS
