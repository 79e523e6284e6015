-- Counts a password attempt as wrong before the password is verified, so that concurrent attempts cannot exceed the
-- limits.
-- KEYS  wrong passwords: 1… for the e-mail address by each network of the client, then for the address, then by each
--       network for any address. An IPv4 client has one network, an IPv6 client has three, the narrowest first. A key
--       with two windows appears twice, the longer window last. The last key holds the address's known networks, see
--       use-known-network.lua
-- ARGV  1 now (ms)  2 attempt  3 hash of the client's network as in the last key  4 index of the key that counts for
--       the address by any network  5 how many of its maximum are reserved for known networks
--       6… for each key but the last its window (ms) and maximum
-- RETURNS  {"counted"} | {"limited", index of the limit's key, retry after (ms)}
-- The networks' keys have other hash tags: on a Redis Cluster they would need a separate, earlier call.
-- Idempotent: the front end may retry a request whose worker died. The same attempt is counted once.

local now, attempt = tonumber(ARGV[1]), ARGV[2]
if redis.call('ZSCORE', KEYS[1], attempt) then return {'counted'} end
local limits, knownNetworks = {}, table.remove(KEYS)
for i, key in ipairs(KEYS) do
  limits[i] = {key = key, window = tonumber(ARGV[2 * i + 4]), maximum = tonumber(ARGV[2 * i + 5]), bucket = 0}
end
if redis.call('HEXISTS', knownNetworks, ARGV[3]) == 0 then
  local ofAddress = limits[tonumber(ARGV[4])]
  ofAddress.maximum = ofAddress.maximum - tonumber(ARGV[5])
end
for i, limit in ipairs(limits) do
  local wait = waitForRoom(limit, now)
  if wait > 0 then return {'limited', i, wait} end
end
countInWindows(limits, now, attempt)
return {'counted'}
