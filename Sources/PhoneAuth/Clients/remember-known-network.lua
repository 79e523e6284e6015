-- Remembers a network from which the user of an e-mail address has just signed in.
-- NOT REPEATABLE: its request succeeds without it
-- KEYS  `networksKey` of the address, see use-known-network.lua
-- ARGV  `network`: its hash  `now` (ms)  `maximum` of networks that are remembered  `life`: for how long (ms)
-- RETURNS  1

local known = redis.call('HGET', networksKey, network)
local hour = known and string.match(known, '^%d+ (.*)$') or now .. ' 0'
redis.call('HSET', networksKey, network, now .. ' ' .. hour)
if redis.call('HLEN', networksKey) > tonumber(maximum) then
  local oldest, when
  local all = redis.call('HGETALL', networksKey)
  for i = 1, #all, 2 do
    local last = tonumber(string.match(all[i + 1], '^%d+'))
    if all[i] ~= network and (not when or last < when) then oldest, when = all[i], last end
  end
  redis.call('HDEL', networksKey, oldest)
end
redis.call('PEXPIRE', networksKey, life)
return 1
