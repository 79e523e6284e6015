-- Idempotent calls. A call is resent if its reply was lost. Scripts that cannot tell from their own writes whether they
-- ran before begin with this text. Their last key belongs to the call, and a second try has the same key. The script
-- stores in it what its reply needs, for longer than any request takes.

local EXECUTED_CALL_LIFE = '60000'
local executedCall = table.remove(KEYS)

-- Returns what the call's first execution stored, or false if there was none.
local function executedBefore()
  local text = redis.call('GET', executedCall)
  return text and cjson.decode(text)
end

-- Called after the script's other writes, which let the script continue when Redis is at its maxmemory.
local function rememberExecution(values)
  redis.call('SET', executedCall, cjson.encode(values), 'PX', EXECUTED_CALL_LIFE)
end
