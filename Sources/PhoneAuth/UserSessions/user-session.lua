-- The refresh tokens of a user's session. For scripts that issue tokens.
--
-- A session has several secrets of refresh tokens, stored as hashes: after a link the client may not have received the
-- response, and other tabs still have the earlier token. The current secret is the one issued or used last.
-- Fields of the session:
--   secret                     the current secret
--   issue                      its position in the order of issue; absent for the secret of the sign-in
--   generation, rotated        the token generation for the client to use, and since when (ms); absent for the
--                              first generation
--   former-1 … former-4        the other secrets, last used first: secret, issue, generation, rotated (0 if absent)
--   former                     what the session's own change revoked, see replaceSecrets
--   client, network            where the user signed in from
--   last-client, last-network  where the session last got tokens from, if that differs; may be ""

local MOST_FORMER_SECRETS = 4

local function newSecret(hash, issue, generation, rotated)
  return {
    hash = hash, issue = tonumber(issue or 0), generation = tonumber(generation or 0), rotated = tonumber(rotated or 0)
  }
end

-- Returns all secrets of a session, the current one first.
local function readSecrets(session)
  local secrets = {newSecret(unpack(redis.call('HMGET', session, 'secret', 'issue', 'generation', 'rotated')))}
  for place = 1, MOST_FORMER_SECRETS do
    local former = redis.call('HGET', session, 'former-' .. place)
    if former then table.insert(secrets, newSecret(string.match(former, '^(%S+) (%d+) (%d+) (%d+)$'))) end
  end
  return secrets
end

-- Writes all secrets of a session, the current one first. Secrets beyond the number of fields are dropped.
local function writeSecrets(session, secrets)
  local current, set, removed = secrets[1], {}, {}
  local function put(field, value, isPresent)
    if isPresent then
      table.insert(set, field)
      table.insert(set, value)
    else
      table.insert(removed, field)
    end
  end
  put('secret', current.hash, true)
  put('issue', string.format('%d', current.issue), current.issue > 0)
  put('generation', string.format('%d', current.generation), current.generation > 0)
  put('rotated', string.format('%d', current.rotated), current.generation > 0)
  for place = 1, MOST_FORMER_SECRETS do
    local former = secrets[place + 1]
    put('former-' .. place,
      former and string.format('%s %d %d %d', former.hash, former.issue, former.generation, former.rotated), former)
  end
  redis.call('HSET', session, unpack(set))
  if #removed > 0 then redis.call('HDEL', session, unpack(removed)) end
end

-- Makes `secret` the current secret of a session. `keepsOthers` is false if the others are revoked.
local function addSecret(session, secret, keepsOthers)
  local secrets, issue = {}, 0
  if not keepsOthers then redis.call('HDEL', session, 'former') end
  for _, other in ipairs(keepsOthers and readSecrets(session) or {}) do
    if other.hash ~= secret then
      table.insert(secrets, other)
      issue = math.max(issue, other.issue + 1)
    end
  end
  table.insert(secrets, 1, newSecret(secret, issue))
  writeSecrets(session, secrets)
end

-- Replaces all secrets of a session whose own change revoked the account's tokens. Other tabs of the browser learn of
-- the new tokens a moment later, and the JS SDK signs the user out of all tabs if a request fails meanwhile. Until
-- `last` (ms), the session's former ID tokens are therefore accepted by `lookup`, and its former secret by `token`,
-- which returns another one: a copy of the former secret ends with `last`. `revocation` is the former tokens'
-- revocation counter. The field is "counter last secret generation rotated".
local function replaceSecrets(session, secret, revocation, last)
  local former = readSecrets(session)[1]
  addSecret(session, secret, false)
  redis.call('HSET', session, 'former',
    string.format('%s %d %s %d %d', revocation, last, former.hash, former.generation, former.rotated))
end

-- Returns the secret that the session's own change has just revoked; nil if there is none.
local function revokedSecret(session, now)
  local last, hash, generation, rotated = string.match(
    redis.call('HGET', session, 'former') or '', '^%d+ (%d+) (%S+) (%d+) (%d+)$')
  return last and tonumber(now) < tonumber(last) and newSecret(hash, 0, generation, rotated) or nil
end

-- Adds a secret beside the current one, and with the same place in the order of issue: the use of one does not show
-- that the client has the other.
local function addSecretBeside(session, secret)
  local secrets = readSecrets(session)
  table.insert(secrets, 1, newSecret(secret, secrets[1].issue))
  writeSecrets(session, secrets)
end

-- Records where a session is used from. `first` is the field's value at the sign-in. `last` is the value at the last
-- use, or false if it does not differ. Most uses write nothing.
local function noteUse(session, field, first, last, value)
  if value == (last or first or '') then return end
  if value == (first or '') then
    redis.call('HDEL', session, field)
  else
    redis.call('HSET', session, field, value)
  end
end
