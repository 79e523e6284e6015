-- Redeems a challenge token (single use: a replay is rejected).
-- REPEATABLE: a used token stores the request id
-- KEYS  `tokenKey`
-- ARGV  `request` id  `holder`  `usedLife`: how long a used token remembers its request (ms)
-- RETURNS  "hard" or "ordinary" if the token is valid: the challenge that was solved; else nil
-- The front end may retry a request whose worker died. The same request id gets the same reply.

local token = redis.call('HMGET', tokenKey, 'holder', 'request', 'challenge')
if token[1] ~= holder then return false end
if token[2] then return token[2] == request and token[3] end
redis.call('HSET', tokenKey, 'request', request)
redis.call('PEXPIRE', tokenKey, usedLife)
return token[3]
