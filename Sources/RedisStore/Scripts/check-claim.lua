-- Returns whether an account holds the claim of an identifier, or is about to take it.
-- KEYS  1 account   2 mark of a deleted account
-- ARGV  1 kind  2 claim  3 whether the claim is fresh (0 | 1)  4 life of the mark (ms)  5 uid
--       6 the account loses a number that it last proved before this time (ms); "" to keep it
-- RETURNS  1 | 0: the account will never hold the claim, not even through a concurrent sign-in

local kind, claim = ARGV[1], ARGV[2]
local account = redis.call('HMGET', KEYS[1], 'created', kind .. '-claim', 'pending-' .. kind .. '-claim')
if not account[1] then
  redis.call('SET', KEYS[2], '', 'PX', ARGV[4], 'NX')
  return 0
end
if account[2] == claim then
  if ARGV[6] == '' or not isNumberRecycled(KEYS[1], ARGV[6]) then return 1 end
  refuseRecycledNumber(KEYS[1], ARGV[5], 'fresh', claim)
  return 0
end
if account[3] ~= claim then return 0 end
if ARGV[3] == '1' then return 1 end
redis.call('HDEL', KEYS[1], 'pending-' .. kind .. '-claim', 'pending-' .. kind, 'pending-' .. kind .. '-revokes')
return 0
