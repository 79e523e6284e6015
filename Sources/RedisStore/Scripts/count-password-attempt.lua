-- Counts a password attempt as wrong in the limits of the e-mail address, before the password is verified, so that
-- concurrent attempts cannot exceed the limits. Calls of reserve.lua count it in the limits of the client's networks.
-- USES sliding-windows
-- REPEATABLE: the windows store the attempt's id
-- KEYS  `knownNetworksKey` of the address, see use-known-network.lua
--       `limitKeys`… for the e-mail address from each network of the client, then for the address. An IPv4 client has
--       one network, an IPv6 client has three, the narrowest first. A key with two windows appears twice, the longer
--       window last.
-- ARGV  `now` (ms)  `event`: the attempt's id  `network`: hash of the client's network as in `knownNetworksKey`
--       `bounds`… window (ms), maximum, and how much of it is for known networks, for each key
-- RETURNS  as reserve-in-all.lua
-- Idempotent: the front end may retry a request whose worker died. The same attempt is counted once.

local limits = readLimits(limitKeys, bounds, {'window', 'maximum', 'reserved'})
if redis.call('HEXISTS', knownNetworksKey, network) == 0 then
  for _, limit in ipairs(limits) do limit.maximum = limit.maximum - limit.reserved end
end
return reserve(limits, tonumber(now), event)
