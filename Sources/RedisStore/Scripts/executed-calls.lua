-- Calls that may be sent again, because their reply was lost. A script that does not see by what it changed that it has
-- run before begins with this text. Its last key is the call's own: a second try has the same one. The script remembers
-- in it what its reply needs, for longer than any request takes.

local EXECUTED_CALL_LIFE = '60000'
local executedCall = table.remove(KEYS)

-- What the call's first execution remembered; false if there was none.
local function executedBefore()
  local text = redis.call('GET', executedCall)
  return text and cjson.decode(text)
end

-- Comes after the script's other writes, which let it go on when Redis is at its maxmemory.
local function rememberExecution(values)
  redis.call('SET', executedCall, cjson.encode(values), 'PX', EXECUTED_CALL_LIFE)
end
