-- Changes fields of an account.
-- USES executed-calls, full-memory, described-account, account-changes
-- REPEATABLE: executed-calls.lua
-- KEYS  `accountKey`
-- ARGV  `uid`  `need`: second-factor need as JSON, see checkSecondFactor, or ""
--       `emailClaim`: claim of the e-mail address that the account must have, which its user has proven, or ""
--       `changes`… of fields, see changeFields
-- RETURNS  {"no-account"} | {"revoked"}: the ID token is revoked | {"too-old"}: the sign-in is too old
--          | {"unknown-factor"}, see checkSecondFactor | {"changed"}: the account has a different e-mail address
--          | {"updated", {kind, sealed identifier, claim, …}: identifiers to release, field, value, …}
-- A resent call changes nothing more. If the ID token was revoked or the account was deleted since, the second reply
-- reports it.

if redis.call('HEXISTS', accountKey, 'created') == 0 then return {'no-account'} end
local before = executedBefore()
if before then
  if isTokenRevokedSince(before.revocation, accountKey, uid) then return {'revoked'} end
  return described(accountKey, {'updated', before.formers})
end
if isTokenRevoked(accountKey, uid) then return {'revoked'} end
if isTooOldToLink(accountKey) and sets(changes, 'password') then return {'too-old'} end
if emailClaim ~= '' and redis.call('HGET', accountKey, 'email-claim') ~= emailClaim then return {'changed'} end
local refusal = need ~= '' and checkSecondFactor(accountKey, cjson.decode(need))
if refusal then return refusal end
writeWhenMemoryIsFull(accountKey)
-- The request that created the account must not delete or complete it after this change.
local maker = redis.call('HGET', accountKey, 'made-by')
if maker and string.sub(maker, 1, 7) == 'create/' then redis.call('HDEL', accountKey, 'made-by') end
local formers = {}
if emailClaim ~= '' and gives(changes, 'email-verified', '1') then audit('email-verified', uid, '', {emailClaim}) end
changeFields(accountKey, uid, changes, formers, true)
rememberExecution({formers = formers, revocation = redis.call('HGET', accountKey, 'revocation')})
return described(accountKey, {'updated', formers})
