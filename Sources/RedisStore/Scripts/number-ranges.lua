-- Unverified messages to a range of numbers, the signal for SMS pumping (toll fraud). For scripts that count messages
-- or correct codes. A range is a string of three whole numbers: `sent` and `verified` messages, in ten-thousandths, and
-- when they were counted (ms). Both counts decay by half in every half-life. RangeCounts.swift reads ranges.

-- Counts messages and correct codes, in ten-thousandths. Returns the stored range before, or false. The first write
-- needs no memory, so that messages are counted when Redis is at its maxmemory. Four half-lives leave a sixteenth. Most
-- blocks get one message and then none for a long time, so their keys must expire.
local function countInRange(key, now, halfLife, sent, verified)
  local life, at = string.format('%d', 4 * halfLife), now
  local before = redis.call('GET', key)
  redis.call('PEXPIRE', key, life)
  if before then
    local sentBefore, verifiedBefore, atBefore = string.match(before, '^(%d+) (%d+) (%d+)$')
    -- Another worker's clock may be ahead.
    at = math.max(now, tonumber(atBefore))
    local left = 2 ^ ((atBefore - at) / halfLife)
    sent, verified = sent + sentBefore * left, verified + verifiedBefore * left
  end
  sent, verified = math.max(0, sent) + 0.5, verified + 0.5
  if sent < 1 and verified < 1 then
    redis.call('DEL', key)
  elseif before then
    redis.call('SET', key, string.format('%d %d %d', sent, verified, at), 'KEEPTTL')
  else
    redis.call('SET', key, string.format('%d %d %d', sent, verified, at), 'PX', life)
  end
  return before
end
