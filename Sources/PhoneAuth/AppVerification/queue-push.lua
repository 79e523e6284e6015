-- Counts a silent push in rate limits and queues it, or refuses it.
-- USES rate-limits
-- REPEATABLE: a key says which push the request queued
-- KEYS  `queuedKey` of the request  `outboxKey`
--       `limitKeys`… of the device and the client's networks, then, if the device is unproven, of the networks' pushes
--       to unproven devices: until when each receipt counts (ms)
-- ARGV  `now` (ms)  `receipt` id  `shard` of the receipt  `bundle` id  `token`: sealed device token  `environment` to
--       try first  `networks` of the client, for the dispatcher  `pushLife` (ms)
--       `unprovenLife`: for how long a push to an unproven device counts (ms)  `countLife` of these counts (ms)
--       `unprovenMaxima`: one for each network, separated by spaces; "" if the device is proven
--       `bounds`… for each limit, see readLimits in rate-limits.lua
-- RETURNS  {"queued", receipt} | {"limited", for each limit without room: its index, the events that count, retry
--          after (ms)} | {"unproven", retry after (ms)}
-- Atomic: the push is queued and counted everywhere, or nothing changed.
-- Idempotent: the front end may retry a request whose worker died, and gets the receipt of the first call.
-- A device is unproven until APNs has accepted a push to it: the client may have invented its token. Such a push counts
-- as one to a bad token from the start, so that concurrent requests cannot exceed the maximum. finish-push.lua ends or
-- extends the count once APNs has responded.

local earlier = redis.call('GET', queuedKey)
if earlier then return {'queued', earlier} end
now = tonumber(now)
local limits = readLimits(limitKeys, bounds)
local unprovenKeys = {}
for i = #limits + 1, #limitKeys do unprovenKeys[#unprovenKeys + 1] = limitKeys[i] end
local refused = exceeded(limits, now)
if refused then return refused end
local index, wait = 0, 0
for maximum in string.gmatch(unprovenMaxima, '%d+') do
  index = index + 1
  local key = unprovenKeys[index]
  if redis.call('ZCOUNT', key, '(' .. string.format('%d', now), '+inf') >= tonumber(maximum) then
    local rank = string.format('%d', -maximum)
    wait = math.max(wait, redis.call('ZRANGE', key, rank, rank, 'WITHSCORES')[2] - now)
  end
end
if wait > 0 then return {'unproven', wait} end

-- The first write needs no memory: see full-memory.lua.
redis.call('PEXPIRE', queuedKey, '1')
redis.call('SET', queuedKey, receipt, 'PX', unprovenLife)
countInLimits(limits, now, receipt)
for _, key in ipairs(unprovenKeys) do
  redis.call('ZADD', key, string.format('%d', now + unprovenLife), receipt)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%d', now))
  redis.call('PEXPIRE', key, countLife)
end
local entry = redis.call('XADD', outboxKey, '*', 'receipt', receipt, 'shard', shard, 'bundle', bundle, 'token', token,
  'environment', environment, 'expires', string.format('%d', now + pushLife), 'networks', networks)
-- Bounds the stream even if nothing reads it. Entry ids are times of Redis's clock.
redis.call('XTRIM', outboxKey, 'MINID', '~', string.format('%d', string.match(entry, '^%d+') - pushLife))
return {'queued', receipt}
