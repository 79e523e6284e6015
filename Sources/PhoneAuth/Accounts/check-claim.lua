-- Returns whether an account holds the claim of an identifier, or is about to take it.
-- USES recycled-numbers
-- REPEATABLE: each attempt has its own claim
-- KEYS  `accountKey`  `deletedKey` mark of a deleted account
-- ARGV  `kind`  `claim`  `isFresh`: whether the claim is fresh (0 | 1)  `markLife` (ms)  `uid`
--       `provenBefore`: the account loses a number that it last proved before this time (ms), or that it has only by
--       the code of a test number; "" to keep it
-- RETURNS  1 | 0: the account will never hold the claim, not even through a concurrent sign-in

local account = redis.call('HMGET', accountKey, 'created', kind .. '-claim', 'pending-' .. kind .. '-claim')
if not account[1] then
  redis.call('SET', deletedKey, '', 'PX', markLife, 'NX')
  return 0
end
local losesTestNumber = provenBefore ~= '' and isOfTestNumber(claim)
if account[2] == claim then
  if provenBefore == '' or not losesTestNumber and not isNumberRecycled(accountKey, provenBefore) then return 1 end
  refuseRecycledNumber(accountKey, uid, losesTestNumber and 'test-number' or 'fresh', claim)
  return 0
end
if account[3] ~= claim then return 0 end
if isFresh == '1' and not losesTestNumber then return 1 end
redis.call('HDEL', accountKey, 'pending-' .. kind .. '-claim', 'pending-' .. kind, 'pending-' .. kind .. '-revokes')
return 0
