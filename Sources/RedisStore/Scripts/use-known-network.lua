-- Whether the user of an e-mail address signed in from a network before, and has not used that up for the hour.
-- KEYS  1 networks of the address: hash of network → "<last sign-in (ms)> <begin of the hour (ms)> <uses in it>"
-- ARGV  1 hash of the network  2 now (ms)  3 how many uses an hour has
-- RETURNS  1 or 0
-- A call that is sent again is counted once.

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
