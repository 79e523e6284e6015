-- Puts a claim to an identifier where there is none, or only the one that the caller found void.
-- KEYS  1 identifier → claim     ARGV  1 void claim, or ""  2 new claim     RETURNS  the claim that stands afterwards

local standing = redis.call('GET', KEYS[1])
if standing and standing ~= ARGV[1] and standing ~= ARGV[2] then return standing end
-- First a write that needs no memory, so that a link works when Redis is at its maxmemory: see writeWhenMemoryIsFull.
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], ARGV[2])
return ARGV[2]
