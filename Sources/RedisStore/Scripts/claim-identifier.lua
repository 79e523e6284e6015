-- Claims an identifier that has no claim, or only the claim that the caller found void.
-- KEYS  1 identifier → claim     ARGV  1 void claim, or ""  2 new claim     RETURNS  the current claim afterwards

local standing = redis.call('GET', KEYS[1])
if standing and standing ~= ARGV[1] and standing ~= ARGV[2] then return standing end
-- The first write needs no memory, so that linking works when Redis is at its maxmemory: see writeWhenMemoryIsFull.
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], ARGV[2])
return ARGV[2]
