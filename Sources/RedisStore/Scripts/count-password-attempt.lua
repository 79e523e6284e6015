-- Counts an attempt to sign in with a password as a wrong one, before it is judged: so racing ones are not judged at once.
-- KEYS  wrong passwords: 1… for an e-mail address by each network of the client, then for the address, then by each network for
--       any address; one network of an IPv4 client, three of an IPv6 client, the narrowest first, and a key with two
--       windows twice, the longer one last; then networks from which the address's user signed in, see
--       use-known-network.lua
-- ARGV  1 now (ms)  2 attempt  3 hash of the client's network among these  4 which key counts for the address by any network
--       5 how many of its maximum only those networks may use  6… for each key but the last its window (ms) and maximum
-- RETURNS  {"counted"} | {"limited", which key's limit, retry after (ms)}
-- The networks' keys have other tags than the others: on a Redis Cluster what they decide would be a step before.
-- A front end may repeat a request whose worker died: the same attempt is counted once.

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
