-- Uses a challenge token up.
-- KEYS  1 token
-- ARGV  1 request id  2 project  3 holder  4 how long a used token remembers its request (ms)
-- RETURNS  1 if it is good, else 0
-- A front end may repeat a request whose worker died: the same request id is told the same.

local token = redis.call('HMGET', KEYS[1], 'project', 'holder', 'request')
if token[1] ~= ARGV[2] or token[2] ~= ARGV[3] then return 0 end
if token[3] then return token[3] == ARGV[1] and 1 or 0 end
redis.call('HSET', KEYS[1], 'request', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
