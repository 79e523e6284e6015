-- Looks up a refresh token's session and account, restarts the session's idle time, and detects reuse (RFC 9700,
-- 4.14.2).
-- KEYS  1 session   2 account, 3 sessions of the account: both without the uid, which is stored in the session
-- ARGV  1 now (ms)  2 life of an idle session (ms)  3 session id  4 generation of the client's token
--       5 whether the token is rotated (0 | 1)  6 grace period of the generation before the current one (ms)
--       7 hash of the token's secret; "" for tokens from before sessions, whose session id is that hash
--       8 client name as the client reports it, or ""  9 keyed hash of the client's network, or ""
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

local now, idleLife, sessionID = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local presentedGeneration, rotates, grace, secret = tonumber(ARGV[4]), ARGV[5] == '1', tonumber(ARGV[6]), ARGV[7]
local client, network = ARGV[8], ARGV[9]
local isCopied = false

-- Makes a former secret the current one. Returns false if the session does not have the client's secret.
local function takeFormerSecret()
  local secrets, place = readSecrets(KEYS[1]), nil
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
  writeSecrets(KEYS[1], secrets)
  return true
end

local function readSession()
  return redis.call('HMGET', KEYS[1],
    'uid', 'signed-in', 'provider', 'issued', 'claims', 'generation', 'rotated', 'reused', 'account-deleted',
    'second-factor', 'second-factor-id', 'revocation', 'secret', 'client', 'network', 'last-client', 'last-network')
end

local session = readSession()
local uid = session[1]
if not uid then return {'unknown'} end
if (session[13] or '') ~= secret then
  writeWhenMemoryIsFull(KEYS[1])
  if not takeFormerSecret() then return {'revoked'} end
  session = readSession()
end
local account = KEYS[2] .. uid
local state = redis.call('HMGET', account, 'revocation', 'valid-since', 'created', 'disabled')
if not state[3] or session[9] then return {'no-account'} end
if state[4] == '1' then return {'disabled'} end
if session[8] or isRevoked(state, session[12], math.floor(tonumber(session[4]) / 1000)) then return {'revoked'} end

local current = tonumber(session[6] or 0)
if isCopied or presentedGeneration < current
  and (presentedGeneration < current - 1 or now >= tonumber(session[7]) + grace) then
  writeWhenMemoryIsFull(KEYS[1])
  redis.call('HSET', KEYS[1], 'reused', now)
  audit('token-reused', uid, session[3], nil, 'server')
  return {'reused'}
end
-- The first write needs no memory: see writeWhenMemoryIsFull.
redis.call('PEXPIRE', KEYS[1], idleLife)
if presentedGeneration >= current and (rotates or presentedGeneration > current) then
  -- A generation that is unknown to Redis was issued before Redis lost its last writes.
  current = rotates and presentedGeneration + 1 or presentedGeneration
  redis.call('HSET', KEYS[1], 'generation', current, 'rotated', now)
end

noteUse(KEYS[1], 'last-client', session[14], session[16], client)
noteUse(KEYS[1], 'last-network', session[15], session[17], network)
redis.call('ZADD', KEYS[3] .. uid, now, sessionID)
redis.call('PEXPIRE', KEYS[3] .. uid, idleLife)
redis.call('HSET', account, 'last-refresh', now)

return described(account,
  {'refreshed', uid, session[2], session[3], session[5] or '', current, session[10] or '', session[11] or ''})
