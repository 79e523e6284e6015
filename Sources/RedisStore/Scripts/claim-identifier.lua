-- Claims an identifier that has no claim, or only the claim that the caller found void.
-- REPEATABLE: a claim belongs to one attempt
-- KEYS  `claimKey` identifier → claim
-- ARGV  `void` claim that is replaced, or ""  `claim`: the new one
-- RETURNS  the current claim afterwards

local current = redis.call('GET', claimKey)
if current and current ~= void and current ~= claim then return current end
-- The first write needs no memory, so that linking works when Redis is at its maxmemory: see writeWhenMemoryIsFull.
redis.call('DEL', claimKey)
redis.call('SET', claimKey, claim)
return claim
