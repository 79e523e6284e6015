-- Completes the copy of a rate limit's counter. Counter and copy have different hash tags, so the caller reads the
-- counter and passes it in parts.
-- REPEATABLE: the second execution finds the copy complete
-- KEYS  `copyKey`
-- ARGV  `isHash` (0 | 1): a hash, or a sorted set of events  `life` of the counter (ms)
--       `values`… a field and its value each, or an event and its time
-- RETURNS  1
-- After a crash between two parts, the next call completes the copy.

for i = 1, #values, 2 do
  if isHash == '1' then
    redis.call('HSETNX', copyKey, values[i], values[i + 1])
  else
    redis.call('ZADD', copyKey, 'NX', values[i + 1], values[i])
  end
end
if redis.call('PTTL', copyKey) < tonumber(life) then redis.call('PEXPIRE', copyKey, life) end
return 1
