-- Changes fields of an account.
-- KEYS  1 account
-- ARGV  1 uid  2 second-factor need as JSON, see judgeSecondFactor, or ""
--       3 number of fields to set  4… their names and values, then the names of the fields to remove
-- RETURNS  {"no-account"} | {"revoked"}: the ID token | {"too-old"}: the sign-in
--          | {"unknown-factor"}, see judgeSecondFactor
--          | {"updated", {kind, sealed identifier, claim, …}: identifiers to release, field, value, …}
-- Idempotent: a resent call changes nothing more. If the ID token was revoked or the account deleted since, the second
-- reply says so.

if redis.call('HEXISTS', KEYS[1], 'created') == 0 then return {'no-account'} end
local before = executedBefore()
if before then
  if isTokenRevokedSince(before.revocation, KEYS[1], ARGV[1]) then return {'revoked'} end
  return described(KEYS[1], {'updated', before.formers})
end
if isTokenRevoked(KEYS[1], ARGV[1]) then return {'revoked'} end
if isTooOldToLink(KEYS[1]) and sets(ARGV, 3, 'password') then return {'too-old'} end
local refusal = ARGV[2] ~= '' and judgeSecondFactor(KEYS[1], cjson.decode(ARGV[2]))
if refusal then return refusal end
writeWhenMemoryIsFull(KEYS[1])
local formers = {}
changeFields(KEYS[1], ARGV[1], ARGV, 3, formers, true)
rememberExecution({formers = formers, revocation = redis.call('HGET', KEYS[1], 'revocation')})
return described(KEYS[1], {'updated', formers})
