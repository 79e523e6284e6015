-- Records a sign-in, which begins a session or issues new tokens of a session. Creates the account if it does not exist
-- and the caller may create it.
-- KEYS  1 account   2 all accounts of the project   3 session   4 sessions of the account
--       5 mark of a deleted account
-- ARGV  1 now (ms)  2 uid  3 sign-in provider  4 life of an idle session (ms)  5 session id
--       6 maximum number of the account's sessions  7 identity of the sign-in if it may create the account, else ""
--       8 time of the sign-in (ms): before now if the user signed in earlier and only gets new tokens
--       9 the session's own claims as JSON, or ""  10 life of the mark (ms)
--       11 kind of the identifier that led here or is to be taken, or ""  12 its claim  13 whether the claim is fresh
--       (0 | 1)  14 sealed identifier  15 whether this sign-in must create the account (0 | 1)
--       16 sealed password that the account must have, or ""  17 whether this is a dry run (0 | 1)
--       18 claim of the e-mail address that the account must have, or ""
--       19 response to a sign-in by a possibly recycled number: "ask", "fresh", or "" to allow it
--       20 then the number counts as recycled if it was last proven before this time (ms)
--       21 second factor: "ask" to ask an account that has one for it, a need as JSON, see judgeSecondFactor, or ""
--       22 the second factor's method and 23 its id for the session, or ""
--       24 hash of the refresh token's secret  25 initial revocation counter of a new account
--       26 client name as the client reports it, or ""  27… changes of fields, see changeFields
-- RETURNS  {"revoked"}: the ID token | {"too-old"}: the ID token's sign-in | {"disabled"}: before or by the changes
--          | {"exists"}: this sign-in did not create the account
--          | {"no-account", whether no identifier led here and the account was deleted recently (0 | 1)}
--          | {"recycled"}: the user must sign in in another way. With "fresh" the account loses the number and the
--          outcome is "not-held"
--          | {"not-held"}: the account does not hold the claim, or has another password
--          | {"changed"}: the account has another e-mail address
--          | {"second-factor", field, value, …}: a second factor is required; the changes were made
--          | {"ended"}: the proof of the first factor | {"unknown-factor"} | {"wrong"}
--          | {"blocked", wrong codes, retry after (ms)}: rejected without verification
--          | {"used"}: the factor was enrolled before | {"enrolled"}: the number is another factor's
--          | {"full"}: the account has the maximum number of factors
--          | {"possible", field, value, …}: the dry run succeeded; without fields if it would create the account
--          | {"signed-in", is the account new (0 | 1), {kind, sealed identifier, claim, …}: identifiers to release,
--          field, value, …}
-- An identifier can lead to an account that was never created because a worker died. The next sign-in creates it here.
-- An identifier never recreates a deleted account: the mark outlives the time for which claims are fresh.
-- After "no-account", and after "not-held" if no password was required, the account will never hold this claim, so the
-- caller may replace the claim.
-- Idempotent: a repeated call with the same arguments changes nothing more and has the same outcome, but no longer
-- returns identifiers to release, as when the worker dies. The next sign-in with such an identifier takes it over.
-- The account is new to the sign-in that created it: to one of several concurrent sign-ins, and to its retries.

local now, uid, provider, idleLife, sessionID = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local maximumSessions, maker, signedIn, sessionClaims = tonumber(ARGV[6]), ARGV[7], ARGV[8], ARGV[9]
local kind, claim, isFresh, sealed = ARGV[11], ARGV[12], ARGV[13] == '1', ARGV[14]
local mustMake, password, onlyLooks, emailClaim = ARGV[15] == '1', ARGV[16], ARGV[17] == '1', ARGV[18]
local recycledAnswer, provenBefore = ARGV[19], ARGV[20]
local asksSecondFactor, method, factorID = ARGV[21] == 'ask', ARGV[22], ARGV[23]
local need = not asksSecondFactor and ARGV[21] ~= '' and cjson.decode(ARGV[21])
local secret, firstRevocation, client = ARGV[24], ARGV[25], ARGV[26]
local CHANGES = 27
local byIdentifier, pending = kind ~= '', 'pending-' .. kind
local isSignIn = signedIn == now and not presented

local account = redis.call('HMGET', KEYS[1], 'created', 'disabled', 'made-by', 'password', kind, kind .. '-claim',
  pending .. '-claim', 'second-factors', pending .. '-revokes', 'anonymous')
local recorded = redis.call('HMGET', KEYS[3], 'secret', 'revocation', 'account-deleted', 'reused')
-- The secret belongs to this call, so the call was executed before and its reply was lost. Later revocations and
-- disabling apply to this reply, too: its ID token gets the account's counter, which must equal the session's. The
-- script writes because WAIT confirms the writes of one connection, and the first execution used another.
if account[1] and recorded[1] == secret then
  if account[2] == '1' then return {'disabled'} end
  if recorded[2] ~= (redis.call('HGET', KEYS[1], 'revocation') or '0') or recorded[3] or recorded[4] then return {'revoked'} end
  redis.call('PEXPIRE', KEYS[3], idleLife)
  return described(KEYS[1], {'signed-in', maker ~= '' and account[3] == maker and 1 or 0, {}})
end
local new, formers, event = 0, {}, 'sign-in'
if account[1] then
  if isTokenRevoked(KEYS[1], uid) then return {'revoked'} end
  if not onlyLooks then writeWhenMemoryIsFull(KEYS[1]) end
  local isPending = byIdentifier and account[7] == claim
  if isTooOldToLink(KEYS[1]) and (isPending or sets(ARGV, CHANGES, 'password')) then
    if isPending then forgetPending(KEYS[1], kind) end
    return {'too-old'}
  end
  if byIdentifier and account[6] ~= claim and not (isPending and isFresh) then
    if isPending then forgetPending(KEYS[1], kind) end
    return {'not-held'}
  end
  if password ~= '' and account[4] ~= password and not gives(ARGV, CHANGES, 'password', account[4]) then
    return {'not-held'}
  end
  if mustMake and account[3] ~= maker then return {'exists'} end
  if account[2] == '1' then return {'disabled'} end
  if recycledAnswer ~= '' and not isPending and isNumberRecycled(KEYS[1], provenBefore) then
    refuseRecycledNumber(KEYS[1], uid, recycledAnswer, claim)
    return recycledAnswer == 'ask' and {'recycled'} or {'not-held'}
  end
  if asksSecondFactor and account[8] then
    changeFields(KEYS[1], uid, ARGV, CHANGES, formers, true)
    return described(KEYS[1], {'second-factor'})
  end
  local refusal = need and judgeSecondFactor(KEYS[1], need, tonumber(now))
  if refusal then return refusal end
  if onlyLooks then return described(KEYS[1], {'possible'}) end
  if emailClaim ~= '' and redis.call('HGET', KEYS[1], 'email-claim') ~= emailClaim then return {'changed'} end
  if account[10] and (isPending or isSignIn and provider ~= 'anonymous') then
    redis.call('HDEL', KEYS[1], 'anonymous')
    redis.call('ZREM', anonymousUsers(KEYS[2]), uid)
  end
  if isPending then
    auditTaken(uid, kind, claim, account[6])
    noteFormer(formers, kind, account[5], account[6])
    -- The former identifier's verification does not carry over to the new one.
    redis.call('HDEL', KEYS[1], kind .. '-verified')
    forgetPending(KEYS[1], kind)
    if account[9] and not sets(ARGV, CHANGES, 'valid-since') then revokeTokensOf(uid, KEYS[1], account[9]) end
    -- The user had signed in before and only linked the identifier.
    if maker == '' then event = nil end
  end
  if account[3] and account[3] == maker then
    new = 1
  elseif account[3] then
    redis.call('HDEL', KEYS[1], 'made-by')
  end
else
  if maker == '' or byIdentifier and (not isFresh or redis.call('EXISTS', KEYS[5]) == 1) then
    if byIdentifier then redis.call('SET', KEYS[5], '', 'PX', ARGV[10], 'NX') end
    return {'no-account', byIdentifier and 0 or redis.call('EXISTS', KEYS[5])}
  end
  if onlyLooks then return {'possible'} end
  new, event = 1, 'sign-up'
  redis.call('HSET', KEYS[1], 'created', now, 'made-by', maker, 'revocation', firstRevocation)
  redis.call('ZADD', KEYS[2], 0, uid)
  if provider == 'anonymous' then
    redis.call('HSET', KEYS[1], 'anonymous', '1')
    redis.call('ZADD', anonymousUsers(KEYS[2]), now, uid)
  end
end
if need then useSecondFactor(KEYS[1], uid, need) end
-- A user who signs in with a number has just proven it.
if kind == 'phone' then
  redis.call('HSET', KEYS[1], 'phone', sealed, 'phone-claim', claim, 'phone-proven', now)
elseif byIdentifier then
  redis.call('HSET', KEYS[1], kind, sealed, kind .. '-claim', claim)
end
local isDisabled = disables(ARGV, CHANGES)
if isDisabled and event == 'sign-in' then event = nil end
if isSignIn and event then audit(event, uid, method == '' and provider or provider .. ' ' .. method, {claim}) end
changeFields(KEYS[1], uid, ARGV, CHANGES, formers, event ~= 'sign-up')
if isDisabled then return {'disabled'} end
if isSignIn then
  redis.call('HSET', KEYS[1], 'last-login', now, 'last-refresh', now)
else
  redis.call('HSET', KEYS[1], 'last-refresh', now)
end

local session = {}
local revocation = event == 'sign-up' and firstRevocation or redis.call('HGET', KEYS[1], 'revocation') or '0'
local continues = presented and presented.session == sessionID

-- Sets a field of the session. "" removes the field from a session that continues.
local function set(field, value)
  if value ~= '' then
    table.insert(session, field)
    table.insert(session, value)
  elseif continues then
    redis.call('HDEL', KEYS[3], field)
  end
end

if continues then
  local known = redis.call('HMGET', KEYS[3], 'revocation', 'client', 'network', 'last-client', 'last-network')
  addSecret(KEYS[3], secret, known[1] == revocation)
  noteUse(KEYS[3], 'last-client', known[2], known[4], client)
  noteUse(KEYS[3], 'last-network', known[3], known[5], requesterNetwork())
else
  set('secret', secret)
  set('client', client)
  set('network', requesterNetwork())
end
set('uid', uid)
set('provider', provider)
set('signed-in', signedIn)
set('issued', now)
set('revocation', revocation)
set('claims', sessionClaims)
set('second-factor', method)
set('second-factor-id', factorID)
redis.call('HSET', KEYS[3], unpack(session))
redis.call('PEXPIRE', KEYS[3], idleLife)
-- The sessions that were idle the longest make room.
local excess = continues and 0 or redis.call('ZCARD', KEYS[4]) + 1 - maximumSessions
if excess > 0 then
  local sessionPrefix = string.sub(KEYS[3], 1, -(#sessionID + 1))
  for _, oldest in ipairs(redis.call('ZRANGE', KEYS[4], 0, excess - 1)) do redis.call('DEL', sessionPrefix .. oldest) end
  redis.call('ZREMRANGEBYRANK', KEYS[4], 0, excess - 1)
end
redis.call('ZADD', KEYS[4], now, sessionID)
redis.call('PEXPIRE', KEYS[4], idleLife)

return described(KEYS[1], {'signed-in', new, formers})
