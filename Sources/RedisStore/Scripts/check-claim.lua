-- Whether an account holds a claim that stands with an identifier, or is about to.
-- KEYS  1 account   2 mark of a deleted account
-- ARGV  1 kind  2 claim  3 whether it is fresh (0 | 1)  4 life of the mark (ms)  5 uid
--       6 where the account is to lose a number that it last proved before this time (ms), else ""
-- RETURNS  1, or 0: then the account will never hold it, not by anybody who is on the way either

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
