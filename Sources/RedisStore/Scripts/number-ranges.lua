-- Unverified messages to ranges of numbers, the signal for SMS pumping (toll fraud). For scripts that count messages or
-- correct codes. A range is a string of three whole numbers: `sent` and `verified` messages, in ten-thousandths, and
-- when they were counted (ms). Both counts decay by half in every half-life. RangeCounts.swift reads ranges.
-- A region has a key. A series has a hash with its own range under SERIES and those of its blocks, about a hundred,
-- under their names: a number's two narrow ranges cost one call and one key.
-- The first write needs no memory, so that messages are counted when Redis is at its maxmemory. Most ranges get few
-- messages and then none for a long time, so their keys must expire. Four half-lives leave a sixteenth.

local SERIES = 'all'

-- Returns a range with more messages and correct codes, in ten-thousandths, or nil if nothing is left of it.
local function withCounts(range, now, halfLife, sent, verified)
  local at = now
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

-- Counts messages and correct codes in a region. Returns the stored range before, or false.
local function countInRegion(key, now, halfLife, sent, verified)
  local life = string.format('%d', 4 * halfLife)
  local before = redis.call('GET', key)
  redis.call('PEXPIRE', key, life)
  local range = withCounts(before, now, halfLife, sent, verified)
  if not range then
    redis.call('DEL', key)
  elseif before then
    redis.call('SET', key, range, 'KEEPTTL')
  else
    redis.call('SET', key, range, 'PX', life)
  end
  return before
end

-- Counts messages and correct codes in a series and in one of its blocks. Returns both stored ranges before, each of
-- them or false.
local function countInSeries(key, block, now, halfLife, sent, verified)
  local life = string.format('%d', 4 * halfLife)
  local before = redis.call('HMGET', key, SERIES, block)
  local exists = redis.call('PEXPIRE', key, life) == 1
  local fields = {}
  for i, field in ipairs({SERIES, block}) do
    local range, count = withCounts(before[i], now, halfLife, sent, verified), #fields
    if range then
      fields[count + 1], fields[count + 2] = field, range
    else
      redis.call('HDEL', key, field)
    end
  end
  if #fields > 0 then redis.call('HSET', key, unpack(fields)) end
  if not exists then redis.call('PEXPIRE', key, life) end
  return before
end
