-- What ranges of numbers owe. The scripts that count messages or right codes begin with this text.
-- A range is a hash: `sent` and `verified` messages, and when they were counted (ms). Both halve in every half-life.

local function readRange(key, now, halfLife)
  local known = redis.call('HMGET', key, 'sent', 'verified', 'at')
  local at = tonumber(known[3]) or now
  local left = 2 ^ (-math.max(0, now - at) / halfLife)
  return {key = key, sent = (tonumber(known[1]) or 0) * left, verified = (tonumber(known[2]) or 0) * left,
    at = math.max(now, at), halfLife = halfLife}
end

-- The messages that nobody verified, less what verified ones make up for.
local function debt(range, credit)
  return math.max(0, range.sent - range.verified * (1 + credit))
end

-- After ten half-lives less than a thousandth is left.
local function countInRange(range, sent, verified)
  redis.call('HSET', range.key, 'sent', string.format('%.4f', math.max(0, range.sent + sent)),
    'verified', string.format('%.4f', range.verified + verified), 'at', string.format('%d', range.at))
  redis.call('PEXPIRE', range.key, 10 * range.halfLife)
end
