-- Creates a push receipt for a device and queues the silent push that carries it.
-- KEYS  1 device   2 times of pushes to the device   3 new receipt   4 outbox
--       5 mark of networks whose clients must take the challenge page   6… for each network of the client: times of its
--       pushes, and until when its pushes to unproven devices count
-- ARGV  1 now (ms)  2 new receipt id  3 project  4 bundle id  5 sealed device token  6 environment that the app reports
--       7 request id  8 the device's hash  9 life of the push (ms)  10 life of an unproven device's record (ms)
--       11 window (ms)  12 maximum of pushes to the device  13… for each network: maximum of pushes, maximum to
--       unproven devices, and the network's name for the dispatcher
-- RETURNS  {"queued", receipt id} | {"unreachable"} | {"challenged"}
--          | {"spent", "device", "network" or "unproven", retry after (ms)}
-- Atomic: either receipt, budget and outbox entry all exist afterwards, or nothing changed.
-- The networks' keys have other hash tags than the device's: on a Redis Cluster they would need an earlier call.
-- Idempotent: the front end may retry a request whose worker died. The same request id receives the same receipt, and
-- no second push is queued. The same holds for a resent call, even if the device has made another request since.
--
-- A device is proven once APNs has accepted a push to it. Until then the client may have invented the device token: the
-- push counts as one to a bad token from the start, so that concurrent requests cannot exceed the maximum.
-- record-push.lua releases the count unless APNs reports a bad token.

local now, receipt, project, bundle, token = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local named, request, hash, pushLife = ARGV[6], ARGV[7], ARGV[8], tonumber(ARGV[9])
local unprovenLife, window = tonumber(ARGV[10]), tonumber(ARGV[11])

local before = executedBefore()
if before then return {'queued', before.receipt} end
local device = redis.call('HMGET', KEYS[1], 'unreachable-until', 'environment', 'request', 'receipt')
if device[3] == request then return {'queued', device[4]} end
if device[1] and now < tonumber(device[1]) then return {'unreachable'} end
if redis.call('EXISTS', KEYS[5]) == 1 then return {'challenged'} end

local limits = {{name = 'device', key = KEYS[2], window = window, maximum = tonumber(ARGV[12]), bucket = 0}}
local unproven, networks = {}, {}
for i = 6, #KEYS, 2 do
  local first = 13 + (i - 6) / 2 * 3
  table.insert(limits, {name = 'network', key = KEYS[i], window = window, maximum = tonumber(ARGV[first]), bucket = 0})
  table.insert(unproven, {key = KEYS[i + 1], maximum = tonumber(ARGV[first + 1])})
  table.insert(networks, ARGV[first + 2])
end
for _, limit in ipairs(limits) do
  local wait = waitForRoom(limit, now)
  if wait > 0 then return {'spent', limit.name, wait} end
end
local isProven = device[2]
if not isProven then
  for _, limit in ipairs(unproven) do
    local excess = redis.call('ZCOUNT', limit.key, '(' .. text(now), '+inf') - limit.maximum
    if excess >= 0 then
      local barring = redis.call('ZRANGEBYSCORE', limit.key, '(' .. text(now), '+inf', 'WITHSCORES', 'LIMIT', text(excess), '1')
      return {'spent', 'unproven', tonumber(barring[2]) - now}
    end
  end
end

-- The environment in which APNs accepted a push is more reliable than what the app reports.
local environment = device[2] or named
redis.call('HSET', KEYS[3], 'project', project, 'bundle', bundle, 'environment', environment, 'issued', now, 'device', hash)
redis.call('PEXPIRE', KEYS[3], text(unprovenLife))
redis.call('HSET', KEYS[1], 'request', request, 'receipt', receipt)
if not isProven then
  redis.call('PEXPIRE', KEYS[1], text(unprovenLife))
  for _, limit in ipairs(unproven) do
    redis.call('ZREMRANGEBYSCORE', limit.key, '-inf', text(now))
    redis.call('ZADD', limit.key, text(now + unprovenLife), receipt)
    redis.call('PEXPIRE', limit.key, text(window))
  end
end
countInWindows(limits, now, receipt)
local entry = redis.call('XADD', KEYS[4], '*', 'receipt', receipt, 'project', project, 'bundle', bundle,
  'token', token, 'environment', environment, 'expires', now + pushLife, 'networks', table.concat(networks, ','))
-- Bounds the stream even if nothing reads it. Entry ids are times of Redis's own clock.
redis.call('XTRIM', KEYS[4], 'MINID', '~', tonumber(string.match(entry, '^%d+')) - pushLife)
rememberExecution({receipt = receipt})
return {'queued', receipt}
