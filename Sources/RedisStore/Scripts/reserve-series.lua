-- Counts a message to a series and to one of its blocks before the message is queued. See number-ranges.lua.
-- REPEATABLE: a second execution counts too many messages, until the count decays, and never too few
-- KEYS  `seriesKey` ranges of the series
-- ARGV  `now` (ms)  `block`
-- The `halfLife` (ms) and the `life` of the key (ms) are prepended as constants: see SeriesRules.swift.
-- RETURNS  series and block without this message, each a range or "", separated by a comma
-- correct-series.lua takes the message back if it is not queued.
-- Duplicated code is cheaper than a function, which Lua would create in every call.

local before = redis.call('HMGET', seriesKey, 'all', block)
-- The first write needs no memory.
local exists = redis.call('PEXPIRE', seriesKey, life) == 1
local ofSeries, ofBlock = '10000 0 ' .. now, '10000 0 ' .. now
if before[1] then
  local sent, verified, at = string.match(before[1], '(%d+) (%d+) (%d+)')
  -- Another worker's clock may be ahead.
  local left = 2 ^ (math.min(0, at - now) / halfLife)
  ofSeries = string.format('%d %d %d', sent * left + 10000.5, verified * left + 0.5, math.max(now, at))
end
if before[2] then
  local sent, verified, at = string.match(before[2], '(%d+) (%d+) (%d+)')
  local left = 2 ^ (math.min(0, at - now) / halfLife)
  ofBlock = string.format('%d %d %d', sent * left + 10000.5, verified * left + 0.5, math.max(now, at))
end
redis.call('HSET', seriesKey, 'all', ofSeries, block, ofBlock)
if not exists then redis.call('PEXPIRE', seriesKey, life) end
return (before[1] or '') .. ',' .. (before[2] or '')
