-- Adds or replaces a project's test number.
-- KEYS  1 test numbers     ARGV  1 keyed hash of the number  2 number and code, sealed  3 maximum of test numbers
-- RETURNS  1 if it was set, 0 if the maximum is reached

if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
