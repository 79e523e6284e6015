-- Looks up a refresh token's session and account, restarts the session's idle time, and detects reuse (a
-- replay; RFC 9700, 4.14.2).
-- USES hash-fields
-- PACKED: it has eleven arguments
-- REPEATABLE: a generation of a token stays valid for a grace period
-- KEYS  `sessionKey`
--       `accountPrefix`, `sessionsPrefix`: account and its sessions without the uid, which is stored in the session
-- ARGV  `now` (ms)  `idleLife` of a session (ms)  `sessionID`  `generation` of the client's token
--       `rotates`: whether the token is rotated (0 | 1)
--       `grace` period of the generation before the current one (ms)
--       `secret`: hash of the token's secret
--       `renewed`: hash of the former secret that `secret` is to replace, after the reply "former"; "" for none
--       `client` name as the client reports it, or ""  `network`: keyed hash of the client's network, or ""
-- RETURNS  {"unknown"} | {"disabled"} | {"no-account"} | {"revoked"} | {"reused"}: detected by this call; later calls
--          return "revoked"
--          | {"former"}: the session's own change has just revoked the secret; repeat the call with one to replace it
--          | {"refreshed", uid, time of the sign-in (ms), sign-in provider, the session's own claims or "", generation
--          for the client to use, the second factor's method and id or "", {field, value, …}}
-- All generations of a token have one secret. A client whose response was lost presents the previous generation, within
-- the grace period, and receives the current one again. An older generation, or the previous one after the grace
-- period, was copied: the session ends for everyone who holds it.
--
-- A session that continued with new tokens has several valid secrets, see user-session.lua. For seconds after a change
-- by the session itself, which revoked its tokens, its former secret can be exchanged for another one. If tokens
-- rotate, the use of a secret shows that the client has it, so secrets issued before it are treated like earlier
-- generations.

generation, rotates = tonumber(generation), rotates == '1'
local session, isCopied = readFields(sessionKey), false
local uid = session.uid
if not uid then return {'unknown'} end
if session.secret ~= secret then
  -- USES full-memory, user-session

  -- Returns an outcome for a secret that the session's own change has just revoked, or nil if `secret` replaces it.
  local function exchangeRevokedSecret()
    -- Another tab of the same browser uses the same network. If the network is unknown, nothing shows that.
    if network == '' or network ~= (session['last-network'] or session.network or '') then return 'revoked' end
    local former = revokedSecret(sessionKey, now)
    if former and former.hash == renewed then
      addSecretBeside(sessionKey, secret)
      return nil
    end
    if not former or former.hash ~= secret then return 'revoked' end
    isCopied = generation < former.generation
      and (generation < former.generation - 1 or tonumber(now) >= former.rotated + grace)
    return not isCopied and 'former' or nil
  end

  -- Makes a former secret the current one. Returns an outcome if the session does not have the secret.
  local function takeFormerSecret()
    local secrets, place = readSecrets(sessionKey), nil
    for i, former in ipairs(secrets) do
      if former.hash == secret then place = i end
    end
    if not place then return exchangeRevokedSecret() end
    for _, other in ipairs(secrets) do
      if other.issue > secrets[place].issue and other.generation > 0
        and (other.generation > 1 or tonumber(now) >= other.rotated + grace) then
        isCopied = true
        return nil
      end
    end
    table.insert(secrets, 1, table.remove(secrets, place))
    writeSecrets(sessionKey, secrets)
    return nil
  end

  writeWhenMemoryIsFull(sessionKey)
  local outcome = takeFormerSecret()
  if outcome then return {outcome} end
  session = readFields(sessionKey)
end
local accountKey = accountPrefix .. uid
local account = readFields(accountKey)
if not account.created or session['account-deleted'] then return {'no-account'} end
if account.disabled == '1' then return {'disabled'} end
if session.reused then return {'revoked'} end
if session.revocation ~= account.revocation or account['valid-since'] then
  -- USES revocation
  local state = {account.revocation or false, account['valid-since']}
  if isRevoked(state, session.revocation, math.floor(tonumber(session.issued) / 1000)) then return {'revoked'} end
end

local current = tonumber(session.generation or 0)
if isCopied or generation < current
  and (generation < current - 1 or tonumber(now) >= tonumber(session.rotated) + grace) then
  -- USES full-memory, audit
  writeWhenMemoryIsFull(sessionKey)
  redis.call('HSET', sessionKey, 'reused', now)
  audit('token-reused', uid, session.provider, nil, 'server')
  return {'reused'}
end
-- The first write needs no memory: see writeWhenMemoryIsFull.
redis.call('PEXPIRE', sessionKey, idleLife)
if generation >= current and (rotates or generation > current) then
  -- A generation that is unknown to Redis was issued before Redis lost its last writes.
  current = rotates and generation + 1 or generation
  redis.call('HSET', sessionKey, 'generation', current, 'rotated', now)
end
local isOtherNetwork = network ~= (session['last-network'] or session.network or '')
if isOtherNetwork or client ~= (session['last-client'] or session.client or '') then
  -- USES user-session
  noteUse(sessionKey, 'last-client', session.client, session['last-client'], client)
  noteUse(sessionKey, 'last-network', session.network, session['last-network'], network)
end
local sessionsKey = sessionsPrefix .. uid
redis.call('ZADD', sessionsKey, now, sessionID)
redis.call('PEXPIRE', sessionsKey, idleLife)
redis.call('HSET', accountKey, 'last-refresh', now)
account['last-refresh'] = now

return {'refreshed', uid, session['signed-in'], session.provider, session.claims or '', current,
  session['second-factor'] or '', session['second-factor-id'] or '', {map = account}}
