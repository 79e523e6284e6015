-- Redeems a temporary proof (single use) and finds the number's account.
-- REPEATABLE: the mark has the request id
-- KEYS  `usedKey` mark of a used proof  `claimKey` number → claim
-- ARGV  `request` id  `markLife` (ms)  `claim` for a number that has none, or ""
-- RETURNS  {"used"} | {"good", the number's claim or ""}
-- The front end may retry a request whose worker died. The same request id may redeem the proof again.

local user = redis.call('GET', usedKey)
if user and user ~= request then return {'used'} end
redis.call('SET', usedKey, request, 'PX', markLife)
local known = redis.call('GET', claimKey)
if not known and claim ~= '' then
  known = claim
  redis.call('SET', claimKey, known)
end
return {'good', known or ''}
