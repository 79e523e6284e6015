-- Records a sign-in, which begins a session or issues new tokens of a session. Creates the account if it does not exist
-- and the caller may create it.
-- USES audit-event, hash-fields
-- PACKED: it has many arguments
-- REPEATABLE: the session stores the hash of the refresh token's secret
-- KEYS  `usersKey` all accounts of the project  `sessionKey`  `sessionsKey` sessions of the account
-- ARGV  `provider` of the sign-in  `idleLife` of a session (ms)  `sessionID`  `maximumSessions` of the account
--       `signedIn`: time of the sign-in (ms), before now if the user signed in earlier and only gets new tokens
--       `isTakenOver`: whether the session began at Firebase (0 | 1); then {"revoked"} if the account's tokens were
--       ever revoked here, or if it has a second factor and the session does not
--       `sessionClaims`: the session's own claims as JSON, or ""
--       `method` and `factorID` of the second factor for the session, or ""
--       `secret`: hash of the refresh token's secret
--       `client` name as the client reports it, or ""  `network`: keyed hash of the client's network, or ""
--       `sealed` identifier  `identifierName` of the identifier in the event, or ""
--       `ways`: the ways to sign in that the account must have, see waysToSignIn, or ""
-- RETURNS  an outcome of sign-in-obstacles.lua or new-account.lua
--          | {"disabled"} by the changes
--          | {"changed"}: the account has other ways to sign in
--          | {"signed-in", is the account new (0 | 1), {kind, sealed identifier, claim, …}: identifiers to release,
--          {field, value, …}}
-- An identifier can lead to an account that was never created because a worker died. The next sign-in creates it here.
-- After "no-account", and after "not-held" if no password was required, the account will never hold this claim, so the
-- caller may replace the claim.
-- Idempotent: a repeated call with the same arguments changes nothing more and has the same outcome, but no longer
-- returns identifiers to release, as if the worker had died. The next sign-in with such an identifier takes it over.
-- The account is new to the sign-in that created it: to one of several concurrent sign-ins, and to its retries.

local byIdentifier, claimField, pending = kind ~= '', kind .. '-claim', 'pending-' .. kind
local account = readFields(accountKey)
local exists = account.created ~= nil

-- Only this call has the secret, or the same request of the client. So it was executed before and its reply was lost.
-- Later revocations and disabling apply to this reply, too: its ID token gets the account's counter, which must equal
-- the session's. The script writes because WAIT confirms the writes of its own connection, and the first execution used
-- another.
local begun = redis.call('HMGET', sessionKey, 'secret', 'ended')
if exists and begun[1] == secret then
  if account.disabled == '1' then return {'disabled'} end
  local recorded = redis.call('HMGET', sessionKey, 'revocation', 'account-deleted', 'reused')
  if recorded[1] ~= account.revocation or recorded[2] or recorded[3] then return {'revoked'} end
  redis.call('PEXPIRE', sessionKey, idleLife)
  return {'signed-in', maker ~= '' and account['made-by'] == maker and 1 or 0, {}, {map = account}}
end

-- The client repeats a request after its session has ended, or has continued with another secret.
if begun[2] or begun[1] and not string.find(presentedText, sessionID, 1, true) then return {'revoked'} end

-- Whether the sign-in is allowed and changes only the account's times and number. If so, the branch below is skipped,
-- and its functions are not created.
local isExpected = not exists
  or account.revocation and account.disabled ~= '1' and not account.anonymous and mustCreate == '0'
    and (not byIdentifier or account[claimField] == claim and account[pending .. '-claim'] ~= claim)
    and (recycledAnswer == '' or not account.password)
local isPlain = isExpected and presentedText == '' and changes[1] == '0' and #changes == 1 and password == ''
  and ways == '' and (need == '' or need == 'ask' and not account['second-factors'])
local isTakeover = isTakenOver == '1'
local isSignIn, continues, isDisabled = signedIn == now and presentedText == '', false, false
local new, formers, event, makeChanges, formerLife = 0, {}, 'sign-in', nil, nil
-- Ends the event's detail if the code of a test number proved the number, see IdentifierClaim.swift, or if the session
-- began at Firebase.
local source = byIdentifier and string.sub(claim, -1) == '*' and ' test-number' or isTakeover and ' firebase' or ''

-- Firebase does not know what users have changed here: a password, a number or a second factor.
if isTakeover and exists then
  if account['valid-since'] or account['second-factors'] and method == '' then return {'revoked'} end
end

if not isPlain then
  -- USES sign-in-obstacles, anonymous-users
  if exists then
    local outcome = obstacle(account, formers)
    if outcome then return outcome end
    if ways ~= '' and waysToSignIn(accountKey) ~= ways then return {'changed'} end
    startRevocations(account)
    local isPending = isAboutToTake(account)
    if account.anonymous and (isPending or isSignIn and provider ~= 'anonymous') then
      redis.call('HDEL', accountKey, 'anonymous')
      redis.call('ZREM', anonymousUsers(usersKey), uid)
      account.anonymous = nil
    end
    if isPending then
      auditTaken(uid, kind, claim, account[claimField])
      noteFormer(formers, kind, account[kind], account[claimField])
      -- The former identifier's verification does not carry over to the new one.
      forgetProof(accountKey, kind)
      forgetPending(accountKey, kind)
      local revokes = account[pending .. '-revokes']
      if revokes and not sets(changes, 'valid-since') then revokeTokensOf(uid, accountKey, revokes) end
      -- The user had signed in before and only linked the identifier.
      if maker == '' then event = nil end
    end
    if neededFactor then
      if neededFactor.test then source = ' test-number' end
      useSecondFactor(accountKey, uid, neededFactor)
    end
  end
  continues = presented and presented.session == sessionID
  formerLife = continues and presented.former
  isDisabled, makeChanges = disables(changes), changeFields
end

-- The fields that the sign-in writes to the account. The reply contains them, too.
local fields, hasSessions = {}, false
local function set(field, value)
  local count = #fields
  fields[count + 1], fields[count + 2], account[field] = field, value, value
end

if exists then
  -- The first write needs no memory: see writeWhenMemoryIsFull.
  hasSessions = redis.call('PEXPIRE', sessionsKey, idleLife) == 1
  if account['made-by'] == maker then
    new = 1
  elseif account['made-by'] then
    redis.call('HDEL', accountKey, 'made-by')
  end
else
  -- USES new-account, account-list, anonymous-users
  local outcome = obstacleToCreation()
  if outcome then return outcome end
  listAccount(usersKey, uid)
  new, event = 1, 'sign-up'
  set('created', now)
  set('made-by', maker)
  set('revocation', firstRevocation)
  if provider == 'anonymous' then
    set('anonymous', '1')
    redis.call('ZADD', anonymousUsers(usersKey), now, uid)
  end
end
if byIdentifier then
  set(kind, sealed)
  set(claimField, claim)
  -- A user who signs in with a number has just proven it.
  if kind == 'phone' then set('phone-proven', now) end
end
if not isDisabled then
  if isSignIn then set('last-login', now) end
  set('last-refresh', now)
end
local isAudited = auditText ~= '' and (isSignIn or isTakeover) and (event == 'sign-up' or event and not isDisabled)
-- See audit.lua. Custom tokens' sign-ins are counted, too: users can repeat them, although the actor is an operator's.
local isOverflow = provider == 'anonymous'
if isAudited and not isOverflow and exists then
  local used = usedUntil(true, now, account.created, account['events-used-until'])
  if used then set('events-used-until', used) end
  isOverflow = not used
end
if #fields > 0 then redis.call('HSET', accountKey, unpack(fields)) end
if isAudited then
  writeEvent(isOverflow, event, uid, (method == '' and provider or provider .. ' ' .. method) .. source, identifierName)
end
if makeChanges then makeChanges(accountKey, uid, changes, formers, event ~= 'sign-up') end
if isDisabled then return {'disabled'} end

local revocation = isPlain and account.revocation or redis.call('HGET', accountKey, 'revocation')
local session = {'uid', uid, 'provider', provider, 'signed-in', signedIn, 'issued', now, 'revocation', revocation}
local function add(field, value)
  local count = #session
  session[count + 1], session[count + 2] = field, value
end

if continues then
  -- USES user-session
  local known = redis.call('HMGET', sessionKey, 'revocation', 'client', 'network', 'last-client', 'last-network')
  if known[1] and known[1] ~= revocation and formerLife then
    replaceSecrets(sessionKey, secret, known[1], now + formerLife)
  else
    addSecret(sessionKey, secret, known[1] == revocation)
  end
  noteUse(sessionKey, 'last-client', known[2], known[4], client)
  noteUse(sessionKey, 'last-network', known[3], known[5], network)
  redis.call('HDEL', sessionKey, 'claims', 'second-factor', 'second-factor-id')
else
  add('secret', secret)
  if client ~= '' then add('client', client) end
  if network ~= '' then add('network', network) end
end
if sessionClaims ~= '' then add('claims', sessionClaims) end
if method ~= '' then add('second-factor', method) end
if factorID ~= '' then add('second-factor-id', factorID) end
redis.call('HSET', sessionKey, unpack(session))
redis.call('PEXPIRE', sessionKey, idleLife)
-- Evicts the sessions that have been idle the longest.
local excess = (continues or not exists) and 0 or redis.call('ZCARD', sessionsKey) + 1 - maximumSessions
if excess > 0 then
  local sessionPrefix = string.sub(sessionKey, 1, -(#sessionID + 1))
  for _, oldest in ipairs(redis.call('ZRANGE', sessionsKey, 0, excess - 1)) do
    redis.call('DEL', sessionPrefix .. oldest)
  end
  redis.call('ZREMRANGEBYRANK', sessionsKey, 0, excess - 1)
end
redis.call('ZADD', sessionsKey, now, sessionID)
if not hasSessions or excess > 0 then redis.call('PEXPIRE', sessionsKey, idleLife) end

return {'signed-in', new, formers, isPlain and {map = account} or redis.call('HGETALL', accountKey)}
