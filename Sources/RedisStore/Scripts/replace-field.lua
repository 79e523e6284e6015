-- Replaces a field by another one, or by a new value, unless it changed since the caller read it (compare and set).
-- KEYS  1 hash     ARGV  1 field that the caller read  2 its value  3 new field  4 its value  5 "keep" to keep the
--       former field as well     RETURNS  1 if it was replaced, else 0

if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
if ARGV[5] ~= 'keep' then redis.call('HDEL', KEYS[1], ARGV[1]) end
redis.call('HSET', KEYS[1], ARGV[3], ARGV[4])
return 1
