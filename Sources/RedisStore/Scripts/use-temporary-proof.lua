-- Redeems a temporary proof (single use).
-- REPEATABLE: the mark has the request id
-- KEYS  `usedKey` mark of a used proof
-- ARGV  `request` id  `markLife` (ms)
-- RETURNS  1 | 0: another request used the proof
-- The front end may retry a request whose worker died. The same request id may redeem the proof again.

local user = redis.call('GET', usedKey)
if user and user ~= request then return 0 end
redis.call('SET', usedKey, request, 'PX', markLife)
return 1
