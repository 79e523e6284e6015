-- Acquires a lock, or renews it.
-- KEYS  1 lock     ARGV  1 holder  2 for how long (ms)     RETURNS  1 if the holder has it, else 0

local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
