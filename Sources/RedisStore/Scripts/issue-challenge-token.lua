-- Counts a solved challenge once and creates the token that the app presents.
-- KEYS  1 solved challenge   2 new token
-- ARGV  1 request id  2 how long a replay of the solution must be rejected (ms)  3 project  4 holder
--       5 life of the token (ms)  6 "hard" or "ordinary": the challenge
-- RETURNS  1 | 0: the challenge was counted before
-- The front end may retry a request whose worker died: the same request id gets another token, and one of the two is
-- lost.

local counted = redis.call('GET', KEYS[1])
if counted and counted ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('HSET', KEYS[2], 'project', ARGV[3], 'holder', ARGV[4], 'challenge', ARGV[6])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
return 1
