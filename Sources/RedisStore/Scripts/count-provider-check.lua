-- Counts a token that a challenge's provider is to be asked about, before it is asked.
-- KEYS  checks of each network of the client
-- ARGV  1 now (ms)  2 request id  3 window (ms)  4… maximum of each network
-- RETURNS  {"counted"} | {"limited", retry after (ms)}
-- A front end may repeat a request whose worker died: the same request id is counted once.

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
