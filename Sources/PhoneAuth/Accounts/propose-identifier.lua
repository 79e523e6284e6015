-- Stores a pending identifier in an account, before the identifier is claimed.
-- USES full-memory, id-token
-- REPEATABLE: each attempt has its own claim
-- KEYS  `accountKey`
-- ARGV  `kind`  `claim`  `sealed` identifier  `uid`
--       `revocation` counter that the account must have, or ""
--       `revokedAt`: now (s) if taking the identifier revokes the account's tokens, else ""
-- RETURNS  "proposed" | "no-account" | "revoked": the ID token is revoked, or the account's tokens were since
--          | "too-old": the sign-in is too old

if redis.call('HEXISTS', accountKey, 'created') == 0 then return 'no-account' end
if isTokenRevoked(accountKey, uid)
  or revocation ~= '' and redis.call('HGET', accountKey, 'revocation') ~= revocation then
  return 'revoked'
end
if isTooOldToLink(accountKey) then return 'too-old' end
local pending = 'pending-' .. kind
writeWhenMemoryIsFull(accountKey)
redis.call('HSET', accountKey, pending .. '-claim', claim, pending, sealed)
if revokedAt ~= '' then
  redis.call('HSET', accountKey, pending .. '-revokes', revokedAt)
else
  redis.call('HDEL', accountKey, pending .. '-revokes')
end
return 'proposed'
