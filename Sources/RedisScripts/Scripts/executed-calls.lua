-- Idempotent calls. A call is resent if its reply was lost. Scripts that cannot tell from their own writes whether they
-- ran before use this file. The store adds a key to their calls, and a resent call has the same key. The script stores
-- under it what its reply needs, for longer than any request takes.
-- KEYS  `executedKey` of the call

local EXECUTED_CALL_LIFE = '60000'

-- Returns what the call's first execution stored, or false if there was none.
local function executedBefore()
  local text = redis.call('GET', executedKey)
  return text and cjson.decode(text)
end

-- Must be called after the script's other writes, which let the script continue when Redis has reached maxmemory.
local function rememberExecution(values)
  redis.call('SET', executedKey, cjson.encode(values), 'PX', EXECUTED_CALL_LIFE)
end
