-- Adds or replaces a project's test number.
-- NOT REPEATABLE: for operators; a number removed in the meantime would be restored
-- KEYS  `testNumbersKey`
-- ARGV  `hash`: keyed hash of the number  `sealed` number and code  `maximum` of test numbers
-- RETURNS  1 if it was set, 0 if the maximum is reached

if redis.call('HEXISTS', testNumbersKey, hash) == 0 and redis.call('HLEN', testNumbersKey) >= tonumber(maximum) then
  return 0
end
redis.call('HSET', testNumbersKey, hash, sealed)
return 1
