-- The ID token on whose behalf a script writes. The scripts that change accounts begin with this text, after
-- revocation.lua and, where they write events, audit.lua. Their last key but that of the events is the record of the
-- token's session, or the account's own key if the token names none. Their last argument but that of the events is ""
-- if no ID token was presented, else a JSON object:
--   session     the session's id; "" in tokens of the version before sessions
--   revocation  the account's counter when the token was issued; "" in tokens of the version before
--   issued      when the token was issued (s)
--   request     the request that presents the token; "" if it has no id
--   ways        what the account's user could sign in with when the worker read the account, see waysToSignIn;
--               absent if the sign-in was recent
-- The worker verified the token when it read the account, but the account and the session may have changed since. This
-- comparison is in the step that writes.

local presentedSession, presentedText = table.remove(KEYS), table.remove(ARGV)
local presented = presentedText ~= '' and cjson.decode(presentedText)

-- Whether the ID token's session has ended.
local function hasSessionEnded(uid)
  if presented.session == '' then return false end
  local session = redis.call('HMGET', presentedSession, 'uid', 'account-deleted', 'reused')
  return session[1] ~= uid or session[2] ~= false or session[3] ~= false
end

-- Whether the ID token is no longer good for this account. A request that revoked the token itself may be repeated by
-- the front end.
local function isTokenRevoked(account, uid)
  if not presented then return false end
  local state = redis.call('HMGET', account, 'revocation', 'valid-since', 'revoked-by')
  local isRepeated = presented.request ~= '' and state[3] == presented.request
  local revocation = presented.revocation ~= '' and presented.revocation
  if not isRepeated and isRevoked(state, revocation, tonumber(presented.issued)) then return true end
  return hasSessionEnded(uid)
end

-- The same for a second execution, if the first one left the account with this revocation counter. The first one may
-- have revoked the token itself.
local function isTokenRevokedSince(revocation, account, uid)
  if not presented then return false end
  return redis.call('HGET', account, 'revocation') ~= revocation or hasSessionEnded(uid)
end

-- What the account's user can sign in with, as one text.
local function waysToSignIn(account)
  local fields = redis.call('HMGET', account, 'phone-claim', 'email-claim', 'password')
  return (fields[1] or '') .. ' ' .. (fields[2] or '') .. ' ' .. (fields[3] and '1' or '0')
end

-- Whether the sign-in is too old to link anything. A user who signed in long ago may at most add a way to sign in to an
-- account that has none, or none of the kind. The account may have got one since the worker read it.
local function isTooOldToLink(account)
  return presented and presented.ways and presented.ways ~= waysToSignIn(account)
end

-- Revokes all tokens of an account, once for each request. Returns the account's new valid-since, which never gets
-- lower. The account also forgets identifiers that it was about to get: a thief may have asked for them, and anyone who
-- proves one would sign in.
local function revokeTokens(account, validSince)
  redis.call('HDEL', account, 'pending-phone', 'pending-phone-claim', 'pending-email', 'pending-email-claim',
    'pending-email-revokes')
  local standing = redis.call('HMGET', account, 'valid-since', 'revoked-by')
  local request = presented and presented.request or ''
  if request == '' then
    redis.call('HDEL', account, 'revoked-by')
  else
    redis.call('HSET', account, 'revoked-by', request)
  end
  if request == '' or standing[2] ~= request then redis.call('HINCRBY', account, 'revocation', 1) end
  return string.format('%d', math.max(tonumber(validSince), tonumber(standing[1] or 0)))
end
