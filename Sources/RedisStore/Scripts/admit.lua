-- Counts work that a client asks for, before it is done.
-- KEYS  one for each limit
-- ARGV  1 now (ms)  2 request id  3… for each key its window (ms), maximum, and bucket (ms), or 0 where each event is remembered
-- RETURNS  {"admitted"} | {"limited", which key's limit, events in its window, retry after (ms)}
-- Atomic: the work is counted in all windows or in none. The keys have different tags: on a Redis Cluster each would be
-- a call of its own, and refused work would be counted in the windows before.
-- A front end may repeat a request whose worker died: the same request id is counted once where the first key remembers
-- each event. A call that is sent again is counted once in any case.

local now, request = tonumber(ARGV[1]), ARGV[2]
local remembersEach = ARGV[5] == '0'
if remembersEach and redis.call('ZSCORE', KEYS[1], request) then return {'admitted'} end
if not remembersEach and executedBefore() then return {'admitted'} end
local limits = {}
for i, key in ipairs(KEYS) do
  limits[i] = {key = key, window = tonumber(ARGV[3 * i]), maximum = tonumber(ARGV[3 * i + 1]), bucket = tonumber(ARGV[3 * i + 2])}
end
for i, limit in ipairs(limits) do
  local wait = waitForRoom(limit, now)
  if wait > 0 then return {'limited', i, limit.sends, wait} end
end
countInWindows(limits, now, request)
if not remembersEach then rememberExecution({}) end
return {'admitted'}
