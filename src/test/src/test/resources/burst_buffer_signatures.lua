-- Calls every function of burst_buffer.lua as Slurm 22.05 does, as 23.02 does, and as 24.05 does.
-- arg[1]: the script; arg[2]: a job script; arg[3]: a file to write paths to
slurm = {SUCCESS = 0, ERROR = -1, log_info = function() end}
dofile(arg[1])

local script, paths = arg[2], arg[3]
local job, uid, gid, info = 42, 1000, 100, {account = "physics"}

local function succeeds(name, ...)
  local code, text = _G["slurm_bb_" .. name](...)
  assert(code == slurm.SUCCESS, name .. ": " .. tostring(text))
  return text
end

local function all(newer)
  local more = newer and {uid, gid, info} or {}
  local unpack = table.unpack or unpack
  local function with(...)
    local arguments = {...}
    for _, each in ipairs(more) do
      arguments[#arguments + 1] = each
    end
    return unpack(arguments)
  end
  succeeds("job_process", with(script))
  succeeds("pools")
  succeeds("setup", with(job, uid, gid, "eley", 1 << 30, script))
  succeeds("data_in", with(job, script))
  succeeds("real_size", with(job))
  succeeds("paths", with(job, script, paths))
  succeeds("pre_run", with(job, script))
  succeeds("post_run", with(job, script))
  succeeds("data_out", with(job, script))
  succeeds("job_teardown", with(job, script, "true"))
  if newer then
    io.write(succeeds("get_status", uid, gid, "job", "42"))
  else
    io.write(succeeds("get_status", "job", "42"))
  end
end

all(false)
all(true)
succeeds("test_data_in", job, script, uid, gid, info)
succeeds("test_data_out", job, script, uid, gid, info)
print("all functions answer")
