-- Ends one session of an account: its refresh token, and its ID tokens wherever scripts and workers verify them.
-- KEYS  1 account   2 session   3 sessions of the account
-- ARGV  1 uid  2 session id
-- RETURNS  "ended" | "no-session": the id does not exist or belongs to another account | "revoked": the ID token
-- Idempotent: a resent call changes nothing more.

if executedBefore() then return 'ended' end
if isTokenRevoked(KEYS[1], ARGV[1]) then return 'revoked' end
local session = redis.call('HMGET', KEYS[2], 'uid', 'provider')
if session[1] ~= ARGV[1] then return 'no-session' end
redis.call('DEL', KEYS[2])
redis.call('ZREM', KEYS[3], ARGV[2])
audit('session-ended', ARGV[1], session[2] .. ' ' .. ARGV[2])
rememberExecution({})
return 'ended'
