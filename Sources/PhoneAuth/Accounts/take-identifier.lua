-- Makes an account take an identifier that is claimed for it, without a sign-in.
-- USES described-account, account-changes
-- NOT REPEATABLE: for operators; another operator's change of the identifier in the meantime would be undone
-- KEYS  `accountKey`
-- ARGV  `kind`  `claim`  `sealed` identifier  `isVerified` (0 | 1), or "" to leave it unchanged  `uid`
--       `provenAt`: when a number counts as last proven (ms), unless its user has proven it later; "" for when the
--       account was created
--       `revokedAt`: now (s) if a change of the account's e-mail address revokes its tokens; "" to revoke them only if
--       that was noted with the pending claim
--       `completesCreation`: whether no repetition of the request that created the account needs to find it (0 | 1)
-- RETURNS  {"no-account"} | {"not-held"}: the claim is neither the account's nor its pending one
--          | {"taken", {kind, sealed identifier, claim}: identifier to release, field, value, …}

local pending, verified = 'pending-' .. kind, kind .. '-verified'
local account = redis.call('HMGET', accountKey, 'created', kind, kind .. '-claim', pending .. '-claim',
  pending .. '-revokes', 'phone-proven')
if not account[1] then return {'no-account'} end
local formers = {}
if account[3] ~= claim then
  if account[4] ~= claim then return {'not-held'} end
  redis.call('HDEL', accountKey, 'anonymous')
  auditTaken(uid, kind, claim, account[3])
  noteFormer(formers, kind, account[2], account[3])
  -- Revokes in the step that takes the address, not after it: if the operator's request fails after this step, a retry
  -- finds no change of address.
  local revokes = kind == 'email' and revokedAt ~= '' and revokedAt or account[5]
  if revokes then revokeTokensOf(uid, accountKey, revokes) end
  -- The former identifier's verification does not carry over to the new one.
  forgetProof(accountKey, kind)
  forgetPending(accountKey, kind)
  redis.call('HSET', accountKey, kind, sealed, kind .. '-claim', claim)
end
-- An operator who gives an account a number vouches for it. A sign-in with this claim is stronger proof.
local wasProven = account[3] == claim and tonumber(account[6] or 0) >= (tonumber(provenAt) or 0)
if kind == 'phone' and provenAt ~= '' and not wasProven then
  redis.call('HSET', accountKey, 'phone-proven', provenAt)
elseif kind == 'phone' and not wasProven then
  redis.call('HDEL', accountKey, 'phone-proven')
end
if isVerified == '1' then
  redis.call('HSET', accountKey, verified, '1')
elseif isVerified == '0' then
  redis.call('HDEL', accountKey, verified)
end
if completesCreation == '1' then redis.call('HDEL', accountKey, 'made-by') end
return described(accountKey, {'taken', formers})
