-- Unverified messages to ranges of numbers, the signal for SMS pumping (toll fraud). For scripts that count messages or
-- correct codes. A range is a string of three whole numbers: `sent` and `verified` messages, in ten-thousandths, and
-- when they were counted (ms). Both counts decay by half in every half-life. RangeCounts.swift reads ranges.
-- Each region has a key. Each series has a hash, with its own range under `all` and the ranges of its blocks, about a
-- hundred, under their names: a number's two narrow ranges cost one call and one key.
-- Most ranges get few messages and then none for a long time, so their keys must expire. Four half-lives leave a
-- sixteenth.

-- Returns a range with more messages and correct codes, or nil if nothing is left of it.
local function withCounts(range, now, halfLife, sent, verified)
  local at = now
  sent, verified = 10000 * sent, 10000 * verified
  if range then
    local sentBefore, verifiedBefore, atBefore = string.match(range, '^(%d+) (%d+) (%d+)$')
    -- Another worker's clock may be ahead.
    at = math.max(now, tonumber(atBefore))
    local left = 2 ^ ((atBefore - at) / halfLife)
    sent, verified = sent + sentBefore * left, verified + verifiedBefore * left
  end
  sent, verified = math.max(0, sent) + 0.5, verified + 0.5
  if sent < 1 and verified < 1 then return nil end
  return string.format('%d %d %d', sent, verified, at)
end

-- Counts messages and correct codes in the ranges of a number. Counts may be negative. The first write needs no memory.
local function countInRanges(regionKey, seriesKey, block, now, halfLife, sent, verified)
  local life = string.format('%d', 4 * halfLife)
  redis.call('PEXPIRE', regionKey, life)
  local range = withCounts(redis.call('GET', regionKey), now, halfLife, sent, verified)
  if range then redis.call('SET', regionKey, range, 'PX', life) else redis.call('DEL', regionKey) end
  local before = redis.call('HMGET', seriesKey, 'all', block)
  for i, name in ipairs({'all', block}) do
    range = withCounts(before[i], now, halfLife, sent, verified)
    if range then redis.call('HSET', seriesKey, name, range) else redis.call('HDEL', seriesKey, name) end
  end
  redis.call('PEXPIRE', seriesKey, life)
end
