-- The ID token that authorizes a script's changes.
-- USES revocation
-- KEYS  `presentedSessionKey`: the token's session, or the account's own key if no token was presented
-- ARGV  `presentedText`: "" if no ID token was presented, else a JSON object:
--   session     the session's id
--   revocation  the account's revocation counter when the token was issued
--   issued      when the token was issued (s)
--   request     the request that presents the token; "" if it has no id
--   former      how long the session's former tokens are accepted (ms) if the change revokes them; absent if they end
--   ways        the user's ways to sign in when the worker read the account, see waysToSignIn; absent after a recent
--               sign-in
-- The worker verified the token when it read the account, but the account and the session may have changed since. These
-- comparisons run in the step that writes.

local presented = presentedText ~= '' and cjson.decode(presentedText)

-- Returns whether the ID token's session has ended.
local function hasSessionEnded(uid)
  local session = redis.call('HMGET', presentedSessionKey, 'uid', 'account-deleted', 'reused')
  return session[1] ~= uid or session[2] ~= false or session[3] ~= false
end

-- Returns whether the ID token is revoked for this account. A request that revoked its own token is exempt, because the
-- front end may retry it.
local function isTokenRevoked(account, uid)
  if not presented then return false end
  local state = redis.call('HMGET', account, 'revocation', 'valid-since', 'revoked-by')
  local isRepeated = presented.request ~= '' and state[3] == presented.request
  if not isRepeated and isRevoked(state, presented.revocation, tonumber(presented.issued)) then return true end
  return hasSessionEnded(uid)
end

-- Returns whether the ID token is revoked, for a second execution whose first one left the account with this revocation
-- counter: the first execution may have revoked the token itself.
local function isTokenRevokedSince(revocation, account, uid)
  if not presented then return false end
  return redis.call('HGET', account, 'revocation') ~= revocation or hasSessionEnded(uid)
end

-- Returns the ways in which the account's user can sign in, as one string.
local function waysToSignIn(account)
  local fields = redis.call('HMGET', account, 'phone-claim', 'email-claim', 'password')
  return (fields[1] or '') .. ' ' .. (fields[2] or '') .. ' ' .. (fields[3] and '1' or '0')
end

-- Returns whether the sign-in is too old to link anything. A user who signed in long ago may only add a way to sign in
-- to an account that has none, or none of that kind. The account may have gained one since the worker read it.
local function isTooOldToLink(account)
  return presented and presented.ways and presented.ways ~= waysToSignIn(account)
end

-- Revokes all tokens of an account, once per request. Returns the account's new valid-since, which never decreases.
-- Also removes pending identifiers: a thief may have requested them, and anyone who proves one would be signed in.
local function revokeTokens(account, validSince)
  redis.call('HDEL', account, 'pending-phone', 'pending-phone-claim', 'pending-email', 'pending-email-claim',
    'pending-email-revokes')
  local current = redis.call('HMGET', account, 'valid-since', 'revoked-by', 'revocation')
  local request = presented and presented.request or ''
  if request == '' then
    redis.call('HDEL', account, 'revoked-by')
  else
    redis.call('HSET', account, 'revoked-by', request)
  end
  if not current[3] then
    local time = redis.call('TIME')
    redis.call('HSET', account, 'revocation', string.format('%d', time[1] * 1000000 + time[2]))
  elseif request == '' or current[2] ~= request then
    redis.call('HINCRBY', account, 'revocation', 1)
  end
  return string.format('%d', math.max(tonumber(validSince), tonumber(current[1] or 0)))
end
