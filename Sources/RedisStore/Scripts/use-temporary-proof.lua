-- Redeems a temporary proof (single use) and finds the number's account.
-- KEYS  1 mark of a used proof   2 number → claim
-- ARGV  1 request id  2 life of the mark (ms)  3 claim for a number that has none, or ""
-- RETURNS  {"used"} | {"good", the number's claim or ""}
-- Idempotent: the front end may retry a request whose worker died. The same request id may redeem the proof again.

local user = redis.call('GET', KEYS[1])
if user and user ~= ARGV[1] then return {'used'} end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
local claim = redis.call('GET', KEYS[2])
if not claim and ARGV[3] ~= '' then
  claim = ARGV[3]
  redis.call('SET', KEYS[2], claim)
end
return {'good', claim or ''}
