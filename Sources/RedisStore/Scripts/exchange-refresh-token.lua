-- Looks a refresh token's session and its account up, and starts the session's idle time anew.
-- KEYS  1 session   2 account, 3 sessions of the account: both without the uid, which the session knows
-- ARGV  1 now (ms)  2 life of an unused session (ms)  3 session id  4 generation of the token that the client has
--       5 whether it gets the next one (0 | 1)  6 how long the generation before the current one is good (ms)
--       7 hash of the token's secret; "" for tokens of the version before sessions, whose session id is that hash
-- RETURNS  {"unknown"} | {"disabled"} | {"no-account"} | {"revoked"} | {"reused"}: just now found out, "revoked" from then on
--          | {"refreshed", uid, time of the sign-in (ms), sign-in provider, the session's own claims or "", generation that the
--          client is to have, the second factor's method and id or "", field, value, …}
-- All generations of a token have one secret. A client that did not get its answer comes with the generation before the
-- current one, soon, and is given the current one again. An older one, or that one later, was copied: the session ends
-- for all its holders.
--
-- A session that went on with new tokens has two secrets, because the client may not have received the later one.
-- Whichever was used last is the current one, with fields of its own for generations; the other one has those that
-- begin with "former-".

local now, idleLife, sessionID = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local presentedGeneration, rotates, grace, secret = tonumber(ARGV[4]), ARGV[5] == '1', tonumber(ARGV[6]), ARGV[7]
local SECRET_FIELDS = {'secret', 'generation', 'rotated'}

local function set(field, value)
  if value then redis.call('HSET', KEYS[1], field, value) else redis.call('HDEL', KEYS[1], field) end
end

-- Makes the former secret the current one; false if the client's is neither.
local function takeFormerSecret()
  local former = redis.call('HMGET', KEYS[1], 'former-secret', 'former-generation', 'former-rotated')
  if not former[1] or former[1] ~= secret then return false end
  local current = redis.call('HMGET', KEYS[1], unpack(SECRET_FIELDS))
  for i, field in ipairs(SECRET_FIELDS) do
    set(field, former[i])
    set('former-' .. field, current[i])
  end
  return true
end

local function readSession()
  return redis.call('HMGET', KEYS[1],
    'uid', 'signed-in', 'provider', 'issued', 'claims', 'generation', 'rotated', 'reused', 'account-deleted',
    'second-factor', 'second-factor-id', 'revocation', 'secret')
end

local session = readSession()
local uid = session[1]
if not uid then return {'unknown'} end
writeWhenMemoryIsFull(KEYS[1])
if (session[13] or '') ~= secret then
  if not takeFormerSecret() then return {'revoked'} end
  session = readSession()
end
local account = KEYS[2] .. uid
local state = redis.call('HMGET', account, 'revocation', 'valid-since', 'created', 'disabled')
if not state[3] or session[9] then return {'no-account'} end
if state[4] == '1' then return {'disabled'} end
if session[8] or isRevoked(state, session[12], math.floor(tonumber(session[4]) / 1000)) then return {'revoked'} end

local current = tonumber(session[6] or 0)
if presentedGeneration < current
  and (presentedGeneration < current - 1 or now >= tonumber(session[7]) + grace) then
  redis.call('HSET', KEYS[1], 'reused', now)
  audit('token-reused', uid, session[3], nil, 'server')
  return {'reused'}
end
if presentedGeneration >= current and (rotates or presentedGeneration > current) then
  -- A generation that Redis does not know was given out before Redis lost its last writes.
  current = rotates and presentedGeneration + 1 or presentedGeneration
  redis.call('HSET', KEYS[1], 'generation', current, 'rotated', now)
end

redis.call('PEXPIRE', KEYS[1], idleLife)
redis.call('ZADD', KEYS[3] .. uid, now, sessionID)
redis.call('PEXPIRE', KEYS[3] .. uid, idleLife)
redis.call('HSET', account, 'last-refresh', now)

return described(account,
  {'refreshed', uid, session[2], session[3], session[5] or '', current, session[10] or '', session[11] or ''})
