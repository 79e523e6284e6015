-- Remembers a network from which the user of an e-mail address has just signed in.
-- KEYS  1 networks of the address, see use-known-network.lua
-- ARGV  1 hash of the network  2 now (ms)  3 how many networks are remembered  4 for how long (ms)
-- RETURNS  1

local known = redis.call('HGET', KEYS[1], ARGV[1])
local hour = known and string.match(known, '^%d+ (.*)$') or ARGV[2] .. ' 0'
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. hour)
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[3]) then
  local oldest, when
  local all = redis.call('HGETALL', KEYS[1])
  for i = 1, #all, 2 do
    local last = tonumber(string.match(all[i + 1], '^%d+'))
    if all[i] ~= ARGV[1] and (not when or last < when) then oldest, when = all[i], last end
  end
  redis.call('HDEL', KEYS[1], oldest)
end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
