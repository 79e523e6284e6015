-- Counts an event in a rate limit that stores each event, if it has room. reserve-in-all.lua does it for several limits
-- of one hash tag.
-- REPEATABLE: the window stores the event
-- KEYS  `limitKey`: a sliding-window log
-- ARGV  `now` (ms)  `event`: its id  `since`: "(" and when the window begins (ms), which is excluded
-- The limit's `window` (ms) and `maximum` are prepended as constants: see ReserveRules.swift.
-- RETURNS  events in the window with this one; negative, or 0, if an earlier call has counted it
--          | {"limited", 1, events in the window, retry after (ms)}
-- Idempotent: the front end may retry a request whose worker died. An event is counted once, and only the call that
-- counted it may release it: release-reservation.lua.

local events = redis.call('ZCOUNT', limitKey, since, '+inf')
if events >= maximum and not redis.call('ZSCORE', limitKey, event) then
  -- There is room once the event that is `maximum` events back has left the window.
  local rank = string.format('%d', -maximum)
  local barring = redis.call('ZRANGE', limitKey, rank, rank, 'WITHSCORES')
  return {'limited', 1, events, barring[2] + window - now}
end
-- The first write needs no memory: see full-memory.lua. Adds before it removes: see "Keys that move" in LuaFile.swift.
local exists = redis.call('PEXPIRE', limitKey, window) == 1
local added = redis.call('ZADD', limitKey, 'NX', now, event)
if exists then
  redis.call('ZREMRANGEBYSCORE', limitKey, '-inf', string.sub(since, 2))
  -- An event that was counted before this window is counted again.
  if added == 0 then added = redis.call('ZADD', limitKey, 'NX', now, event) end
end
if not exists or added == 1 and events == 0 then redis.call('PEXPIRE', limitKey, window) end
return added == 1 and events + 1 or -events
