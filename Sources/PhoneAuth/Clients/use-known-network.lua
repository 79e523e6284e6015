-- Returns whether a network is known for an e-mail address, and counts one of its uses in the hour. A network is known
-- if the address's user has signed in from it.
-- USES executed-calls
-- REPEATABLE: executed-calls.lua
-- KEYS  `networksKey` of the address: hash of network → "<last sign-in (ms)> <start of the hour (ms)> <uses in it>"
-- ARGV  `network`: its hash  `now` (ms)  `maximum` of uses per hour
-- RETURNS  1 | 0: the network is unknown or has no uses left

if executedBefore() then return 1 end
local known = redis.call('HGET', networksKey, network)
if not known then return 0 end
local last, begin, uses = string.match(known, '^(%d+) (%d+) (%d+)$')
if tonumber(now) >= tonumber(begin) + 3600000 then begin, uses = now, '0' end
if tonumber(uses) >= tonumber(maximum) then return 0 end
redis.call('HSET', networksKey, network, last .. ' ' .. begin .. ' ' .. string.format('%d', uses + 1))
rememberExecution({})
return 1
