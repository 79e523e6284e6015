-- Unverified messages to ranges of numbers, the signal for SMS pumping (toll fraud). For scripts that count messages or
-- correct codes. A range is a string of three whole numbers: `sent` and `verified` messages, in ten-thousandths, and
-- when they were counted (ms). Both counts decay by half in every half-life. RangeCounts.swift reads ranges.
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

-- Counts messages and correct codes in the ranges of a number. `ranges` are the values of `keys`; counts may be
-- negative.
local function countInRanges(keys, ranges, now, halfLife, sent, verified)
  local life = string.format('%d', 4 * halfLife)
  for i, key in ipairs(keys) do
    local range = withCounts(ranges[i], now, halfLife, sent, verified)
    if range then redis.call('SET', key, range, 'PX', life) else redis.call('DEL', key) end
  end
end
