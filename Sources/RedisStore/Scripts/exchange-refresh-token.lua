-- Looks a refresh token and its account up, and extends the token's life.
-- KEYS  1 refresh token   2 account, without the uid, which the token knows
-- ARGV  1 now (ms)  2 life of an unused refresh token (ms)
-- RETURNS  {"unknown"} | {"disabled"} | {"no-account"} | {"revoked"}
--          | {"refreshed", uid, time of the sign-in (ms), sign-in provider, field, value, …}

local token = redis.call('HMGET', KEYS[1], 'uid', 'signed-in', 'provider', 'issued')
if not token[1] then return {'unknown'} end
local account = KEYS[2] .. token[1]
local state = redis.call('HMGET', account, 'created', 'disabled', 'valid-since')
if not state[1] then return {'no-account'} end
if state[2] == '1' then return {'disabled'} end
-- valid-since counts seconds, as tokens do.
if state[3] and math.floor(tonumber(token[4]) / 1000) < tonumber(state[3]) then return {'revoked'} end

redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('HSET', account, 'last-refresh', ARGV[1])

local answer = redis.call('HGETALL', account)
for i, value in ipairs({'refreshed', token[1], token[2], token[3]}) do table.insert(answer, i, value) end
return answer
