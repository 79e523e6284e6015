-- Uses up the code of an e-mail action (single use).
-- REPEATABLE: the record names the request that used the code
-- KEYS  `actionKey`
-- ARGV  `now` (ms)  `request` id  `usedLife`: for how long the request may be repeated (ms)
-- RETURNS  "taken" | "unknown": no such code, or another request used it | "expired"
-- If the worker dies before the action is done, the repeated request takes the code again.

local action = redis.call('HMGET', actionKey, 'expires', 'used-by')
if not action[1] or action[2] and action[2] ~= request then return 'unknown' end
if action[2] then return 'taken' end
if tonumber(now) >= tonumber(action[1]) then return 'expired' end
-- The first write needs no memory: see full-memory.lua.
redis.call('PEXPIRE', actionKey, usedLife)
redis.call('HSET', actionKey, 'used-by', request)
return 'taken'
