-- Ends or extends the count of a push to a device that may have been unproven, see reserve-pushes.lua.
-- REPEATABLE: it sets absolute values
-- KEYS  `unprovenKeys`… of networks in one slot
-- ARGV  `receipt` id  `countsUntil`: until when the push counts as one to a bad token (ms), or "" if it does not
--       `life` of a count that is extended (ms)
-- RETURNS  1

for _, key in ipairs(unprovenKeys) do
  if countsUntil == '' then
    redis.call('ZREM', key, receipt)
  else
    redis.call('ZADD', key, countsUntil, receipt)
    redis.call('PEXPIRE', key, life)
  end
end
return 1
