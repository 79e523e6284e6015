-- Records a sign-in with its refresh token, and makes the account where there is none yet.
-- KEYS  1 account   2 all accounts of the project   3 refresh token
-- ARGV  1 now (ms)  2 uid  3 sealed number  4 sign-in provider  5 life of an unused refresh token (ms)
--       6 verification session
-- RETURNS  {"disabled"} | {"signed-in", is the account new (0 | 1), field, value, …}
-- A number can point to an account that was never made, when a worker died in between: it is made here, by the next sign-in.
-- New is what this session made: of racing sessions one, and that one also when its request is repeated.

local now, uid = ARGV[1], ARGV[2]
local account = redis.call('HMGET', KEYS[1], 'created', 'disabled', 'made-by')
if account[2] == '1' then return {'disabled'} end
local new = 0
if not account[1] then
  new = 1
  redis.call('HSET', KEYS[1], 'created', now, 'made-by', ARGV[6])
  redis.call('ZADD', KEYS[2], 0, uid)
elseif account[3] == ARGV[6] then
  new = 1
elseif account[3] then
  redis.call('HDEL', KEYS[1], 'made-by')
end
redis.call('HSET', KEYS[1], 'phone', ARGV[3], 'last-login', now, 'last-refresh', now)
redis.call('HSET', KEYS[3], 'uid', uid, 'provider', ARGV[4], 'signed-in', now, 'issued', now)
redis.call('PEXPIRE', KEYS[3], ARGV[5])

local answer = redis.call('HGETALL', KEYS[1])
table.insert(answer, 1, new)
table.insert(answer, 1, 'signed-in')
return answer
