-- Ends one session of an account: its refresh token, and its ID tokens wherever scripts and workers verify them.
-- USES executed-calls, audit, id-token
-- REPEATABLE: executed-calls.lua
-- KEYS  `accountKey`  `sessionKey`  `sessionsKey` sessions of the account
-- ARGV  `uid`  `sessionID`
-- RETURNS  "ended" | "no-session": the id does not exist or belongs to another account
--          | "revoked": the ID token is revoked

if executedBefore() then return 'ended' end
if isTokenRevoked(accountKey, uid) then return 'revoked' end
local session = redis.call('HMGET', sessionKey, 'uid', 'provider')
if session[1] ~= uid then return 'no-session' end
redis.call('DEL', sessionKey)
-- For longer than the client may repeat the sign-in, see IdempotencyKey.swift.
redis.call('HSET', sessionKey, 'ended', '1')
redis.call('PEXPIRE', sessionKey, '120000')
redis.call('ZREM', sessionsKey, sessionID)
audit('session-ended', uid, session[2] .. ' ' .. sessionID)
rememberExecution({})
return 'ended'
