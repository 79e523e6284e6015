-- Counts of regions, see number-ranges.lua.
-- USES number-ranges

-- Counts messages and correct codes in a region. Returns the previously stored range, or false.
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
