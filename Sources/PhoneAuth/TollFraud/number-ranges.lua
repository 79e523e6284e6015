-- Unverified messages to ranges of numbers, the signal for SMS pumping (toll fraud). For scripts that count messages or
-- correct codes. A range is three packed doubles, because Lua reads digits slowly: `sent` and `verified` messages, and
-- when they were counted (ms). Both counts decay by half in every half-life. RangeCounts.swift reads ranges.
-- Most ranges get few messages and then none for a long time, so their keys must expire. Four half-lives leave a
-- sixteenth.

-- Returns a range with more messages and correct codes, or nil if nothing is left of it.
local function withCounts(range, now, halfLife, sent, verified)
  local at = now
  if range then
    local sentBefore, verifiedBefore, atBefore = struct.unpack('<ddd', range)
    -- Another worker's clock may be ahead.
    at = math.max(now, atBefore)
    local left = 2 ^ ((atBefore - at) / halfLife)
    sent, verified = sent + sentBefore * left, verified + verifiedBefore * left
  end
  if sent < 0.0001 and verified < 0.0001 then return nil end
  return struct.pack('<ddd', math.max(0, sent), verified, at)
end

-- Counts messages and correct codes in the ranges of a number. `ranges` are the values of `keys`; counts may be
-- negative.
local function countInRanges(keys, ranges, now, halfLife, sent, verified)
  local life = string.format('%d', 4 * halfLife)
  for i, key in ipairs(keys) do
    local range = withCounts(ranges[i], now, halfLife, sent, verified)
    if range then redis.call('PSETEX', key, life, range) else redis.call('DEL', key) end
  end
end
