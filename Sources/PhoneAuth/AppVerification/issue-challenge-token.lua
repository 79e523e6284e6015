-- Counts a solved challenge once and creates the token that the app presents.
-- REPEATABLE: the mark of a solved challenge stores the request id
-- KEYS  `solvedKey` mark of the solved challenge  `tokenKey` new token
-- ARGV  `request` id  `solvableLife`: how long a replay of the solution must be rejected (ms)  `holder`
--       `tokenLife` (ms)  `challenge`: "hard" or "ordinary"
-- RETURNS  1 | 0: the challenge was counted before
-- The front end may retry a request whose worker died: the same request id gets another token, and one of the two is
-- never used.

local counted = redis.call('GET', solvedKey)
if counted and counted ~= request then return 0 end
redis.call('SET', solvedKey, request, 'PX', solvableLife)
redis.call('HSET', tokenKey, 'holder', holder, 'challenge', challenge)
redis.call('PEXPIRE', tokenKey, tokenLife)
return 1
