-- Unverified messages to ranges of numbers, the signal for SMS pumping (toll fraud). For scripts that count
-- messages or correct codes. A range is a string of three whole numbers: `sent` and `verified` messages, in
-- ten-thousandths, and when they were counted (ms). Both counts decay by half in every half-life.

local function readRanges(keys, now, halfLife)
  local ranges = {}
  for i, known in ipairs(redis.call('MGET', unpack(keys))) do
    local range = {key = keys[i], sent = 0, verified = 0, at = now, halfLife = halfLife}
    if known then
      local sent, verified, at = string.match(known, '^(%d+) (%d+) (%d+)$')
      range.at = math.max(now, tonumber(at))
      local left = 2 ^ ((at - range.at) / halfLife) / 10000
      range.sent, range.verified = sent * left, verified * left
    end
    ranges[i] = range
  end
  return ranges
end

-- Returns a range's debt: its unverified messages, less the credit of its verified ones.
local function debt(range, credit)
  return math.max(0, range.sent - range.verified * (1 + credit))
end

-- Counts messages in the ranges. Four half-lives leave a sixteenth. Most blocks get one message and then none for a
-- long time, so their keys must expire.
local function countInRanges(ranges, sent, verified)
  for _, range in ipairs(ranges) do
    local sentUnits, verifiedUnits = 10000 * math.max(0, range.sent + sent), 10000 * (range.verified + verified)
    redis.call('SET', range.key, string.format('%d %d %d', sentUnits + 0.5, verifiedUnits + 0.5, range.at),
      'PX', string.format('%d', 4 * range.halfLife))
  end
end
