-- Changes fields of an account.
-- USES executed-calls, full-memory, described-account, account-changes
-- REPEATABLE: executed-calls.lua
-- KEYS  `accountKey`
-- ARGV  `uid`  `need`: second-factor need as JSON, see checkSecondFactor, or ""
--       `ways`: the ways to sign in that the account must have if its user has proven the e-mail address, see
--       waysToSignIn, or ""
--       `changes`… of fields, see changeFields
-- RETURNS  {"no-account"} | {"revoked"}: the ID token is revoked | {"too-old"}: the sign-in is too old
--          | {"unknown-factor"}, see checkSecondFactor | {"changed"}: the account has other ways to sign in
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
if ways ~= '' and waysToSignIn(accountKey) ~= ways then return {'changed'} end
local refusal = need ~= '' and checkSecondFactor(accountKey, cjson.decode(need))
if refusal then return refusal end
writeWhenMemoryIsFull(accountKey)
-- The request that created the account must not delete or complete it after this change.
local maker = redis.call('HGET', accountKey, 'made-by')
if maker and string.sub(maker, 1, 7) == 'create/' then redis.call('HDEL', accountKey, 'made-by') end
local formers = {}
if ways ~= '' and gives(changes, 'email-verified', '1') then
  audit('email-verified', uid, '', {redis.call('HGET', accountKey, 'email-claim')})
end
changeFields(accountKey, uid, changes, formers, true)
rememberExecution({formers = formers, revocation = redis.call('HGET', accountKey, 'revocation')})
return described(accountKey, {'updated', formers})
