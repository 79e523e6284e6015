-- Looks up a refresh token's session and account, restarts the session's idle time, and detects reuse (RFC 9700,
-- 4.14.2).
-- USES full-memory, audit, revocation, described-account, user-session
-- REPEATABLE: a generation of a token stays valid for a grace period
-- KEYS  `sessionKey`
--       `accountPrefix`, `sessionsPrefix`: account and its sessions without the uid, which is stored in the session
-- ARGV  `now` (ms)  `idleLife` of a session (ms)  `sessionID`  `generation` of the client's token
--       `rotates`: whether the token is rotated (0 | 1)
--       `grace` period of the generation before the current one (ms)
--       `secret`: hash of the token's secret; "" for tokens from before sessions, whose session id is that hash
--       `client` name as the client reports it, or ""  `network`: keyed hash of the client's network, or ""
-- RETURNS  {"unknown"} | {"disabled"} | {"no-account"} | {"revoked"} | {"reused"}: detected by this call; later calls
--          return "revoked"
--          | {"refreshed", uid, time of the sign-in (ms), sign-in provider, the session's own claims or "", generation
--          that the client is to have, the second factor's method and id or "", field, value, …}
-- All generations of a token have one secret. A client whose response was lost presents the previous generation, within
-- the grace period, and receives the current one again. An older generation, or the previous one after the grace
-- period, was copied: the session ends for everyone who holds it.
--
-- A session that continued with new tokens has several valid secrets, see user-session.lua. If tokens rotate, the use
-- of a secret shows that the client has it, so secrets issued before it are treated like earlier generations.

now, generation, rotates = tonumber(now), tonumber(generation), rotates == '1'
local isCopied = false

-- Makes a former secret the current one. Returns false if the session does not have the client's secret.
local function takeFormerSecret()
  local secrets, place = readSecrets(sessionKey), nil
  for i, former in ipairs(secrets) do
    if former.hash == secret then place = i end
  end
  if not place then return false end
  for _, other in ipairs(secrets) do
    if other.issue > secrets[place].issue and other.generation > 0
      and (other.generation > 1 or now >= other.rotated + grace) then
      isCopied = true
      return true
    end
  end
  table.insert(secrets, 1, table.remove(secrets, place))
  writeSecrets(sessionKey, secrets)
  return true
end

local function readSession()
  return redis.call('HMGET', sessionKey,
    'uid', 'signed-in', 'provider', 'issued', 'claims', 'generation', 'rotated', 'reused', 'account-deleted',
    'second-factor', 'second-factor-id', 'revocation', 'secret', 'client', 'network', 'last-client', 'last-network')
end

local session = readSession()
local uid = session[1]
if not uid then return {'unknown'} end
if (session[13] or '') ~= secret then
  writeWhenMemoryIsFull(sessionKey)
  if not takeFormerSecret() then return {'revoked'} end
  session = readSession()
end
local account = accountPrefix .. uid
local state = redis.call('HMGET', account, 'revocation', 'valid-since', 'created', 'disabled')
if not state[3] or session[9] then return {'no-account'} end
if state[4] == '1' then return {'disabled'} end
if session[8] or isRevoked(state, session[12], math.floor(tonumber(session[4]) / 1000)) then return {'revoked'} end

local current = tonumber(session[6] or 0)
if isCopied or generation < current
  and (generation < current - 1 or now >= tonumber(session[7]) + grace) then
  writeWhenMemoryIsFull(sessionKey)
  redis.call('HSET', sessionKey, 'reused', now)
  audit('token-reused', uid, session[3], nil, 'server')
  return {'reused'}
end
-- The first write needs no memory: see writeWhenMemoryIsFull.
redis.call('PEXPIRE', sessionKey, idleLife)
if generation >= current and (rotates or generation > current) then
  -- A generation that is unknown to Redis was issued before Redis lost its last writes.
  current = rotates and generation + 1 or generation
  redis.call('HSET', sessionKey, 'generation', current, 'rotated', now)
end

noteUse(sessionKey, 'last-client', session[14], session[16], client)
noteUse(sessionKey, 'last-network', session[15], session[17], network)
redis.call('ZADD', sessionsPrefix .. uid, now, sessionID)
redis.call('PEXPIRE', sessionsPrefix .. uid, idleLife)
redis.call('HSET', account, 'last-refresh', now)

return described(account,
  {'refreshed', uid, session[2], session[3], session[5] or '', current, session[10] or '', session[11] or ''})
