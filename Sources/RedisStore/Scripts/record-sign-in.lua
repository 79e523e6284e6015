-- Records a sign-in with its refresh token, and makes the account where there is none yet.
-- KEYS  1 account   2 all accounts of the project   3 new refresh token   4 refresh tokens of the account
--       5 mark of a deleted account
-- ARGV  1 now (ms)  2 uid  3 sealed number  4 sign-in provider  5 life of an unused refresh token (ms)
--       6 verification session  7 hash of the new refresh token  8 how many refresh tokens an account may have
-- RETURNS  {"disabled"} | {"deleted"} | {"signed-in", is the account new (0 | 1), field, value, …}
-- A number can point to an account that was never made, when a worker died in between: it is made here, by the next
-- sign-in. One that was deleted in between is not made again: its number points elsewhere by now.
-- New is what this session made: of racing sessions one, and that one also when its request is repeated.

local now, uid, sealedNumber, provider, idleLife = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local session, tokenHash, maximumTokens = ARGV[6], ARGV[7], tonumber(ARGV[8])

local account = redis.call('HMGET', KEYS[1], 'created', 'disabled', 'made-by')
if account[2] == '1' then return {'disabled'} end
local new = 0
if not account[1] then
  if redis.call('EXISTS', KEYS[5]) == 1 then return {'deleted'} end
  new = 1
  redis.call('HSET', KEYS[1], 'created', now, 'made-by', session)
  redis.call('ZADD', KEYS[2], 0, uid)
elseif account[3] == session then
  new = 1
elseif account[3] then
  redis.call('HDEL', KEYS[1], 'made-by')
end
redis.call('HSET', KEYS[1], 'phone', sealedNumber, 'last-login', now, 'last-refresh', now)

redis.call('HSET', KEYS[3], 'uid', uid, 'provider', provider, 'signed-in', now, 'issued', now)
redis.call('PEXPIRE', KEYS[3], idleLife)
-- The tokens that were unused the longest make room.
local excess = redis.call('ZCARD', KEYS[4]) + 1 - maximumTokens
if excess > 0 then
  local tokenPrefix = string.sub(KEYS[3], 1, -(#tokenHash + 1))
  for _, oldest in ipairs(redis.call('ZRANGE', KEYS[4], 0, excess - 1)) do redis.call('DEL', tokenPrefix .. oldest) end
  redis.call('ZREMRANGEBYRANK', KEYS[4], 0, excess - 1)
end
redis.call('ZADD', KEYS[4], now, tokenHash)
redis.call('PEXPIRE', KEYS[4], idleLife)

local answer = redis.call('HGETALL', KEYS[1])
table.insert(answer, 1, new)
table.insert(answer, 1, 'signed-in')
return answer
