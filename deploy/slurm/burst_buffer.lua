-- Eley as a burst buffer that Slurm gives to jobs (burst_buffer/lua), for Slurm 22.05 and newer.
--
--   #BB_LUA pool=eley capacity=64G origin=/mnt/pfs stage_in=input/part-* stage_out=results
--
-- Copy this beside slurm.conf, edit the settings, and set BurstBufferType=burst_buffer/lua there.
-- docs/burst-buffer-lua.md tells the rest. Newer Slurm gives more arguments to most functions (users, groups, the
-- job's record) and asks for two more; those that are used here stand in the same place everywhere.
--
-- Three functions run inside slurmctld and hold it up: job_process, pools and paths. They start nothing and
-- read small files only. The others run in a helper; all but get_status may take long, and are one command each. All run
-- as SlurmUser, who may not submit for others: eley-slurm.service does that, and nothing else.

-- Settings ------------------------------------------------------------------------------------------------
local eley = "/opt/eley/bin/eley"        -- on all hosts
local state = "/var/lib/eley/slurm"      -- of this host, SlurmUser's
local socket = "/run/eley-slurm/submit"  -- of eley-slurm.service
local partition = "eley"                 -- the buffer's hosts: nodes with much memory; as in that service
local environment = "PATH=/usr/local/bin:/usr/bin:/bin"  -- of the commands; JAVA_HOME, SLURM_CONF if need be
------------------------------------------------------------------------------------------------------------

local options = {pool = true, capacity = true, origin = true, stage_in = true, stage_out = true}

-- The directive, or nil and what is wrong with it. `eley slurm validate` says the same: keep them alike.
local function directive(script)
  local file, problem = io.open(script, "r")
  if not file then
    return nil, "the job's script cannot be read: " .. tostring(problem)
  end
  local found = {}
  local any = false
  for line in file:lines() do
    local words = line:match("^#BB_LUA%s+(.*)$") or (line:match("^#BB_LUA%s*$") and "")
    if words then
      any = true
      for word in words:gmatch("%S+") do
        local key, value = word:match("^([^=]*)=(.*)$")
        if not key or not options[key] then
          file:close()
          return nil, "no option '" .. word .. "'; there are capacity, origin, pool, stage_in, stage_out"
        end
        if found[key] then
          file:close()
          return nil, key .. " is given twice"
        end
        found[key] = value
      end
    end
  end
  file:close()
  if not any then
    return found
  end
  if found.pool ~= "eley" then
    return nil, "pool=eley is missing, or another pool is named"
  end
  if not (found.capacity or ""):match("^[1-9]%d*[KMGT]$") or #found.capacity > 7 then
    return nil, "capacity=" .. (found.capacity or "") .. " is no size such as 64G"
  end
  if not (found.origin or ""):match("^/") then
    return nil, "origin=" .. (found.origin or "") .. " is no absolute path"
  end
  for _, key in ipairs({"origin", "stage_in", "stage_out"}) do
    local value = found[key]
    if value then
      local allowed = key == "stage_in" and "^[%w/._@+:,*?%[%]-]+$" or "^[%w/._@+:,-]+$"
      if not value:match(allowed) then
        return nil, key .. "=" .. value .. " is empty or has characters that are not allowed"
      end
      if ("/" .. value .. "/"):find("/../", 1, true) then
        return nil, key .. "=" .. value .. " must not go up"
      end
      local below = found.origin:gsub("/+$", "") .. "/"
      if key ~= "origin" and value:match("^/") and value:sub(1, #below) ~= below then
        return nil, key .. "=" .. value .. " is not below the origin " .. found.origin
      end
    end
  end
  return found
end

-- In MiB, as `eley slurm pools` has written it; nil when it has not.
local function pool_size()
  local file = io.open(state .. "/pools.json", "r")
  if not file then
    return nil
  end
  local text = file:read("*a")
  file:close()
  return tonumber(text:match('"quantity":(%d+)')), text
end

local function mebibytes(size)
  local number, unit = size:match("^(%d+)([KMGT])$")
  return tonumber(number) * ({K = 1 / 1024, M = 1, G = 1024, T = 1024 * 1024})[unit]
end

local function quoted(word)
  return "'" .. (tostring(word):gsub("'", "'\\''")) .. "'"
end

-- One command; what it printed, without the line that tells its exit code.
local function run(verb, ...)
  local words = {
    "env", environment, quoted(eley), "slurm", verb, "--state", quoted(state), "--partition", quoted(partition)
  }
  for _, word in ipairs({...}) do
    words[#words + 1] = quoted(word)
  end
  local pipe, problem = io.popen(table.concat(words, " ") .. ' 2>&1; echo "eley-exit=$?"', "r")
  if not pipe then
    return slurm.ERROR, "eley cannot be run: " .. tostring(problem)
  end
  local text = pipe:read("*a") or ""
  pipe:close()
  local said, code = text:match("^(.-)%s*eley%-exit=(%d+)%s*$")
  if not code then
    return slurm.ERROR, "eley slurm " .. verb .. " was ended"
  end
  if code ~= "0" then
    slurm.log_info("eley slurm %s: %s", verb, said)
    return slurm.ERROR, (said:gsub("^eley: ", ""))
  end
  return slurm.SUCCESS, said
end

-- Inside slurmctld ----------------------------------------------------------------------------------------

function slurm_bb_job_process(job_script)
  local found, problem = directive(job_script)
  if not found then
    return slurm.ERROR, "#BB_LUA: " .. problem
  end
  local size = pool_size()
  if size and found.capacity and mebibytes(found.capacity) > size then
    return slurm.ERROR,
      string.format("#BB_LUA: capacity=%s is more than the whole buffer has, %d MiB", found.capacity, size)
  end
  return slurm.SUCCESS
end

function slurm_bb_pools()
  local size, text = pool_size()
  if not size then
    -- Jobs wait, with Slurm's reason BurstBufferResources, until `eley slurm pools` has been run.
    text = '{"pools":[{"id":"eley","quantity":0,"granularity":1048576}]}'
  end
  return slurm.SUCCESS, text
end

function slurm_bb_paths(job_id, job_script, path_file)
  local from = io.open(string.format("%s/%d/env", state, job_id), "r")
  if not from then
    return slurm.ERROR, "the buffer of job " .. job_id .. " was never set up"
  end
  local text = from:read("*a")
  from:close()
  local to, problem = io.open(path_file, "w")
  if not to then
    return slurm.ERROR, tostring(problem)
  end
  to:write(text)
  to:close()
  return slurm.SUCCESS
end

-- In a helper --------------------------------------------------------------------------------------------

function slurm_bb_setup(job_id, uid, gid, pool, bb_size, job_script)
  return run("setup", "--socket", socket, "--job", job_id, "--uid", uid, "--script", job_script)
end

function slurm_bb_data_in(job_id, job_script)
  return run("data-in", "--job", job_id, "--script", job_script)
end

-- Asked by Slurm 24.05 and newer after data_in, which has waited until everything was there.
function slurm_bb_test_data_in()
  return slurm.SUCCESS, ""
end

function slurm_bb_real_size(job_id)
  return slurm.SUCCESS
end

function slurm_bb_pre_run(job_id)
  return run("pre-run", "--job", job_id)
end

function slurm_bb_post_run(job_id)
  return run("post-run", "--job", job_id)
end

function slurm_bb_data_out(job_id, job_script)
  return run("data-out", "--job", job_id, "--script", job_script)
end

function slurm_bb_test_data_out()
  return slurm.SUCCESS, ""
end

function slurm_bb_job_teardown(job_id)
  return run("teardown", "--job", job_id)
end

-- `scontrol show bbstat`. slurmctld holds locks meanwhile: this reads what stages have noted of a bounded number of
-- jobs, asks Slurm nothing, and waits for no Java to start. `eley slurm status` says the same: keep them alike.
local most_shown = 1000
local most_bytes = 300 -- of a note, in which a user's words are

local function shown(job, buffer, user, progress)
  return string.format("%-10s %-10s %-12s %s\n", job, buffer, user, progress)
end

function slurm_bb_get_status()
  local jobs = {}
  local names = io.popen("ls " .. quoted(state) .. " 2>/dev/null", "r")
  if not names then
    return slurm.ERROR, "the notes of jobs cannot be listed"
  end
  for name in names:lines() do
    if name:match("^%d+$") then
      jobs[#jobs + 1] = name
    end
  end
  names:close()
  table.sort(jobs, function(a, b) return #a < #b or #a == #b and a < b end)
  local lines = {shown("JOB", "BUFFER", "USER", "HOW FAR")}
  for index, job in ipairs(jobs) do
    if index > most_shown then
      lines[#lines + 1] = string.format("and %d more: eley slurm status\n", #jobs - most_shown)
      break
    end
    local file = io.open(string.format("%s/%s/progress", state, job), "r")
    local note = file and file:read(most_bytes) or ""
    if file then
      file:close()
    end
    local buffer, user, progress = note:match("^(%d*)|([^|\n]*)|([^\n]*)")
    lines[#lines + 1] = shown(job, buffer or "", user or "", progress or "being set up")
  end
  return slurm.SUCCESS, table.concat(lines)
end

return slurm.SUCCESS
