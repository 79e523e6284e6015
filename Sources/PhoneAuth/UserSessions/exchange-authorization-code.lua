-- Exchanges an authorization code for a refresh token of its session (RFC 6749, 4.1.3; RFC 7636, 4.6). The session's
-- earlier refresh tokens end: the sign-in page had them, and now the app has the session.
-- USES full-memory, audit, revocation, user-session
-- REPEATABLE: a used code stores the request id
-- KEYS  `codeKey`  `sessionKey`
--       `accountPrefix`, `sessionsPrefix`: account and its sessions without the uid, which is stored in the session
-- ARGV  `now` (ms)  `idleLife` of a session (ms)  `sessionID`  `request` id  `code`: hash of its secret
--       `clientID` and `redirectURI`: hashes of what the client presents  `challenge`: hash of the client's secret
--       `usedLife`: how long a used code is remembered (ms)  `secret`: hash of the new refresh token's secret
--       `client` name as the client reports it, or ""  `network`: keyed hash of the client's network, or ""
-- RETURNS  {"unknown"} | {"reused"} | {"mismatch", name of the first term that differs}: the session has ended
--          | {"ended"}: the session, earlier | {"no-account"} | {"disabled"}
--          | {"exchanged", uid, time of the sign-in (ms), sign-in provider, the session's own claims or "", generation
--          of the refresh token, the second factor's method and id or "", {field, value, …}}
-- Only hashes are compared, and Lua interns strings, so the comparison leaks no timing. The code is used up before the
-- client's terms are compared: each code allows one attempt. A code that is used twice was copied, and the session ends
-- for both clients. The front end may retry a request whose worker died: the same request id gets another refresh
-- token, in place of the first.

local record = redis.call('HMGET', codeKey, 'code', 'request', 'client-id', 'redirect-uri', 'challenge')
if record[1] ~= code then return {'unknown'} end
local session = redis.call('HMGET', sessionKey,
  'uid', 'signed-in', 'provider', 'issued', 'claims', 'reused', 'account-deleted', 'second-factor', 'second-factor-id',
  'revocation', 'client', 'network', 'last-client', 'last-network')
local uid = session[1]
writeWhenMemoryIsFull(codeKey)

local function endSession(event, detail)
  if not uid then return end
  redis.call('DEL', sessionKey)
  redis.call('ZREM', sessionsPrefix .. uid, sessionID)
  audit(event, uid, detail, nil, 'server')
end

if record[2] and record[2] ~= request then
  endSession('token-reused', session[3])
  return {'reused'}
end
redis.call('HSET', codeKey, 'request', request)
redis.call('PEXPIRE', codeKey, usedLife)
for place, term in ipairs({{'client-id', clientID}, {'redirect-uri', redirectURI}, {'challenge', challenge}}) do
  if record[2 + place] ~= term[2] then
    endSession('session-ended', (session[3] or '') .. ' ' .. sessionID)
    return {'mismatch', term[1]}
  end
end

if not uid or session[6] then return {'ended'} end
local account = accountPrefix .. uid
local state = redis.call('HMGET', account, 'revocation', 'valid-since', 'created', 'disabled')
if not state[3] or session[7] then return {'no-account'} end
if state[4] == '1' then return {'disabled'} end
if isRevoked(state, session[10], math.floor(tonumber(session[4]) / 1000)) then return {'ended'} end

addSecret(sessionKey, secret, false)
redis.call('PEXPIRE', sessionKey, idleLife)
noteUse(sessionKey, 'last-client', session[11], session[13], client)
noteUse(sessionKey, 'last-network', session[12], session[14], network)
redis.call('ZADD', sessionsPrefix .. uid, now, sessionID)
redis.call('PEXPIRE', sessionsPrefix .. uid, idleLife)
redis.call('HSET', account, 'last-refresh', now)

return {'exchanged', uid, session[2], session[3], session[5] or '', 0, session[8] or '', session[9] or '',
  redis.call('HGETALL', account)}
