-- Counts a challenge token against the rate limits before the token is sent to the challenge's provider for
-- verification.
-- KEYS  checks of each network of the client
-- ARGV  1 now (ms)  2 request id  3 window (ms)  4… maximum of each network
-- RETURNS  {"counted"} | {"limited", retry after (ms)}
-- Idempotent: the front end may retry a request whose worker died. The same request id is counted once.

local now, request = tonumber(ARGV[1]), ARGV[2]
if redis.call('ZSCORE', KEYS[1], request) then return {'counted'} end
local limits = {}
for i, key in ipairs(KEYS) do
  limits[i] = {key = key, window = tonumber(ARGV[3]), maximum = tonumber(ARGV[3 + i]), bucket = 0}
end
for _, limit in ipairs(limits) do
  local wait = waitForRoom(limit, now)
  if wait > 0 then return {'limited', wait} end
end
countInWindows(limits, now, request)
return {'counted'}
