-- Replaces the state of the index keys, unless it changed since the caller read it (compare and set).
-- KEYS  1 state     ARGV  1 state that the caller read  2 new state  3 what an absent state means
-- RETURNS  1 if the new state is now stored, else 0

local state = redis.call('GET', KEYS[1]) or ARGV[3]
if state ~= ARGV[1] and state ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1
