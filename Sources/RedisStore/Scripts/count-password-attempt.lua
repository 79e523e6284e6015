-- Counts a password attempt as wrong before the password is verified, so that concurrent attempts cannot exceed the
-- limits.
-- USES sliding-windows
-- REPEATABLE: the windows have the attempt's id
-- KEYS  `knownNetworksKey` of the address, see use-known-network.lua
--       `limitKeys`… for the e-mail address by each network of the client, then for the address, then by
--       each network for any address. An IPv4 client has one network, an IPv6 client has three, the narrowest first. A
--       key with two windows appears twice, the longer window last.
-- ARGV  `now` (ms)  `attempt` id  `network`: hash of the client's network as in the known networks
--       `bounds`… four for each key, see readLimits in sliding-windows.lua
-- RETURNS  {"allowed", 1} | {"limited", index of the limit's key, events in its window, retry after (ms), 0}
-- The networks' keys have other hash tags: on a Redis Cluster they would need a separate, earlier call.
-- Idempotent: the front end may retry a request whose worker died. The same attempt is counted once.

now = tonumber(now)
local limits = readLimits(limitKeys, bounds, 1, #limitKeys)
if isCounted(limits, attempt) then return {'allowed', 1} end
if redis.call('HEXISTS', knownNetworksKey, network) == 0 then
  for _, limit in ipairs(limits) do limit.maximum = limit.maximum - limit.reserved end
end
local refused = refusal(limits, now)
if refused then return refused end
countInWindows(limits, now, attempt)
return {'allowed', 1}
