-- Looks a refresh token and its account up, and starts the token's idle time anew.
-- KEYS  1 refresh token   2 account, 3 refresh tokens of the account: both without the uid, which the token knows
-- ARGV  1 now (ms)  2 life of an unused refresh token (ms)  3 hash of the refresh token
-- RETURNS  {"unknown"} | {"disabled"} | {"no-account"} | {"revoked"}
--          | {"refreshed", uid, time of the sign-in (ms), sign-in provider, field, value, …}

local now, idleLife, tokenHash = ARGV[1], ARGV[2], ARGV[3]
local token = redis.call('HMGET', KEYS[1], 'uid', 'signed-in', 'provider', 'issued')
local uid = token[1]
if not uid then return {'unknown'} end
local account = KEYS[2] .. uid
local state = redis.call('HMGET', account, 'created', 'disabled', 'valid-since')
if not state[1] then return {'no-account'} end
if state[2] == '1' then return {'disabled'} end
-- valid-since counts seconds, as tokens do.
if state[3] and math.floor(tonumber(token[4]) / 1000) < tonumber(state[3]) then return {'revoked'} end

redis.call('PEXPIRE', KEYS[1], idleLife)
redis.call('ZADD', KEYS[3] .. uid, now, tokenHash)
redis.call('PEXPIRE', KEYS[3] .. uid, idleLife)
redis.call('HSET', account, 'last-refresh', now)

local answer = redis.call('HGETALL', account)
for i, value in ipairs({'refreshed', uid, token[2], token[3]}) do table.insert(answer, i, value) end
return answer
