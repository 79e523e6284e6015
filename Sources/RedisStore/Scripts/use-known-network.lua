-- Returns whether a network is known for an e-mail address, and uses one of its uses in the hour. A network is known if
-- the address's user has signed in from it.
-- KEYS  1 networks of the address: hash of network → "<last sign-in (ms)> <begin of the hour (ms)> <uses in it>"
-- ARGV  1 hash of the network  2 now (ms)  3 maximum of uses per hour
-- RETURNS  1 | 0: the network is unknown or has no uses left
-- A resent call is counted once.

if executedBefore() then return 1 end
local known = redis.call('HGET', KEYS[1], ARGV[1])
if not known then return 0 end
local last, begin, uses = string.match(known, '^(%d+) (%d+) (%d+)$')
local now = tonumber(ARGV[2])
if now >= tonumber(begin) + 3600000 then begin, uses = ARGV[2], '0' end
if tonumber(uses) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], last .. ' ' .. begin .. ' ' .. string.format('%d', uses + 1))
rememberExecution({})
return 1
