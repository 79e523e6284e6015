-- Creates a push receipt for a device and queues the silent push that carries it.
-- USES executed-calls, sliding-windows
-- REPEATABLE: executed-calls.lua
-- KEYS  `deviceKey`  `receiptKey` new receipt  `outboxKey`
--       `challengedKey` mark of networks whose clients must take the challenge page
--       `limitKeys`… of the rate limits, then for each network of the client: until when its pushes to unproven devices
--       count
-- ARGV  `now` (ms)  `receipt`: its new id  `project`  `bundle` id  `token`: sealed device token
--       `environment` that the app reports  `request` id  `device` hash  `pushLife` (ms)
--       `unprovenLife` of an unproven device's record (ms)  `networks`: number of the client's networks
--       `bounds`… four for each rate limit, see readLimits in sliding-windows.lua, then for each network: maximum of
--       pushes to unproven devices, and the network's name for the dispatcher
-- RETURNS  {"queued", receipt id} | {"unreachable"} | {"challenged"}
--          | {"limited", index of the limit, events in its window, retry after (ms), 0}
--          | {"unproven", retry after (ms)}
-- Atomic: either receipt, budget and outbox entry all exist afterwards, or nothing changed.
-- The networks' keys have other hash tags than the device's: on a Redis Cluster they would need an earlier call.
-- Idempotent: the front end may retry a request whose worker died. The same request id receives the same receipt, and
-- no second push is queued. The same holds for a resent call, even if the device has made another request since.
--
-- A device is proven once APNs has accepted a push to it. Until then the client may have invented the device token: the
-- push counts as one to a bad token from the start, so that concurrent requests cannot exceed the maximum.
-- record-push.lua releases the count unless APNs reports a bad token.

now, unprovenLife, networks = tonumber(now), tonumber(unprovenLife), tonumber(networks)

local before = executedBefore()
if before then return {'queued', before.receipt} end
local known = redis.call('HMGET', deviceKey, 'unreachable-until', 'environment', 'request', 'receipt')
if known[3] == request then return {'queued', known[4]} end
if known[1] and now < tonumber(known[1]) then return {'unreachable'} end
if redis.call('EXISTS', challengedKey) == 1 then return {'challenged'} end

local count = #limitKeys - networks
local limits = readLimits(limitKeys, bounds, 1, count)
local unproven, names = {}, {}
for i = 1, networks do
  unproven[i] = {key = limitKeys[count + i], maximum = tonumber(bounds[4 * count + 2 * i - 1])}
  names[i] = bounds[4 * count + 2 * i]
end
local refused = refusal(limits, now)
if refused then return refused end
local isProven = known[2]
if not isProven then
  for _, limit in ipairs(unproven) do
    local excess = redis.call('ZCOUNT', limit.key, '(' .. text(now), '+inf') - limit.maximum
    if excess >= 0 then
      local barring = redis.call('ZRANGEBYSCORE', limit.key, '(' .. text(now), '+inf', 'WITHSCORES',
        'LIMIT', text(excess), '1')
      return {'unproven', tonumber(barring[2]) - now}
    end
  end
end

-- The environment in which APNs accepted a push is more reliable than what the app reports.
environment = known[2] or environment
redis.call('HSET', receiptKey, 'project', project, 'bundle', bundle, 'environment', environment,
  'issued', text(now), 'device', device)
redis.call('PEXPIRE', receiptKey, text(unprovenLife))
redis.call('HSET', deviceKey, 'request', request, 'receipt', receipt)
if not isProven then
  redis.call('PEXPIRE', deviceKey, text(unprovenLife))
  for _, limit in ipairs(unproven) do
    redis.call('ZREMRANGEBYSCORE', limit.key, '-inf', text(now))
    redis.call('ZADD', limit.key, text(now + unprovenLife), receipt)
    redis.call('PEXPIRE', limit.key, text(limits[1].window))
  end
end
countInWindows(limits, now, receipt)
local entry = redis.call('XADD', outboxKey, '*', 'receipt', receipt, 'project', project, 'bundle', bundle,
  'token', token, 'environment', environment, 'expires', now + pushLife, 'networks', table.concat(names, ','))
-- Bounds the stream even if nothing reads it. Entry ids are times of Redis's own clock.
redis.call('XTRIM', outboxKey, 'MINID', '~', tonumber(string.match(entry, '^%d+')) - pushLife)
rememberExecution({receipt = receipt})
return {'queued', receipt}
