-- Replaces the state of the index keys, unless it changed since the caller read it (compare and set).
-- REPEATABLE: the new state is also accepted as the former one
-- KEYS  `stateKey`
-- ARGV  `former` state, which the caller read  `new` state  `absent`: what an absent state means
-- RETURNS  1 if the new state is now stored, else 0

local state = redis.call('GET', stateKey) or absent
if state ~= former and state ~= new then return 0 end
redis.call('SET', stateKey, new)
return 1
