-- Redeems a challenge token (single use).
-- KEYS  1 token
-- ARGV  1 request id  2 project  3 holder  4 how long a used token remembers its request (ms)
-- RETURNS  "hard" or "ordinary" if the token is valid: the challenge that was solved; else nil
-- Idempotent: the front end may retry a request whose worker died. The same request id gets the same reply.

local token = redis.call('HMGET', KEYS[1], 'project', 'holder', 'request', 'challenge')
if token[1] ~= ARGV[2] or token[2] ~= ARGV[3] then return false end
if token[3] then return token[3] == ARGV[1] and token[4] end
redis.call('HSET', KEYS[1], 'request', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return token[4]
