-- Claims an identifier that has no claim, or only a claim that the caller has found to be void.
-- REPEATABLE: each attempt has its own claim
-- KEYS  `claimKey` identifier → claim
-- ARGV  `void` claim to replace, or ""  `claim`: the new one
-- RETURNS  the current claim afterwards

local current = redis.call('GET', claimKey)
if current and current ~= void and current ~= claim then return current end
-- The first write needs no memory, so that linking works when Redis has reached maxmemory: see writeWhenMemoryIsFull.
-- It is not DEL: see "Keys that move" in LuaFile.swift.
redis.call('PERSIST', claimKey)
redis.call('SET', claimKey, claim)
return claim
