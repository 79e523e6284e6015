-- Makes an account take an identifier that is claimed for it, without a sign-in.
-- KEYS  1 account
-- ARGV  1 kind  2 claim  3 sealed identifier  4 whether it is verified (0 | 1), or "" to leave that unchanged
--       5 uid  6 now (ms)  7 now (s) if a change of the account's e-mail address revokes its tokens; "" to revoke them
--       only if that was noted with the pending claim
-- RETURNS  {"no-account"} | {"not-held"}: the claim is neither the account's nor its pending one
--          | {"taken", {kind, sealed identifier, claim}: identifier to release, field, value, …}

local kind, claim, sealed, isVerified = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local pending, verified = 'pending-' .. kind, kind .. '-verified'
local account = redis.call('HMGET', KEYS[1], 'created', kind, kind .. '-claim', pending .. '-claim',
  pending .. '-revokes')
if not account[1] then return {'no-account'} end
local formers = {}
if account[3] ~= claim then
  if account[4] ~= claim then return {'not-held'} end
  redis.call('HDEL', KEYS[1], 'anonymous')
  auditTaken(ARGV[5], kind, claim, account[3])
  noteFormer(formers, kind, account[2], account[3])
  -- Revokes in the step that takes the address, not after it: if the operator's request fails after this step, a retry
  -- finds no change of address.
  local revokes = kind == 'email' and ARGV[7] ~= '' and ARGV[7] or account[5]
  if revokes then revokeTokensOf(ARGV[5], KEYS[1], revokes) end
  -- The former identifier's verification does not carry over to the new one.
  redis.call('HDEL', KEYS[1], verified)
  forgetPending(KEYS[1], kind)
  redis.call('HSET', KEYS[1], kind, sealed, kind .. '-claim', claim)
end
-- An operator who gives a number to an account vouches for it.
if kind == 'phone' then redis.call('HSET', KEYS[1], 'phone-proven', ARGV[6]) end
if isVerified == '1' then
  redis.call('HSET', KEYS[1], verified, '1')
elseif isVerified == '0' then
  redis.call('HDEL', KEYS[1], verified)
end
return described(KEYS[1], {'taken', formers})
