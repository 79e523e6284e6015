-- Acquires a lock, or renews it.
-- REPEATABLE: a lock stores its holder
-- KEYS  `lockKey`
-- ARGV  `holder`  `life` of the lock (ms)
-- RETURNS  1 if the holder has it, else 0

local current = redis.call('GET', lockKey)
if current and current ~= holder then return 0 end
redis.call('SET', lockKey, holder, 'PX', life)
return 1
