-- Makes a push receipt for a device and queues the silent push that carries it.
-- KEYS  1 device   2 times of pushes to the device   3 new receipt   4 outbox
--       5 mark of networks whose clients must take the challenge page   6… times of pushes to each network of the client
-- ARGV  1 now (ms)  2 new receipt id  3 project  4 bundle id  5 sealed device token  6 environment that the app names
--       7 request id  8 life of a receipt that was never used (ms)  9 life of the push (ms)  10 life of the device's record (ms)
--       11 window (ms), and maximum of pushes to 12 the device, 13… each network
-- RETURNS  {"queued", receipt id} | {"unreachable"} | {"challenged"} | {"spent", "device" or "network", retry after (ms)}
-- Atomic: either receipt, budget and outbox entry all exist afterwards, or nothing changed.
-- The networks' keys have other tags than the device's: on a Redis Cluster what they decide would be a step before.
-- A front end may repeat a request whose worker died: the same request id is told the same receipt, and no second push is queued.

local now, receipt, project, bundle, token = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local named, request, receiptLife, pushLife = ARGV[6], ARGV[7], ARGV[8], tonumber(ARGV[9])
local deviceLife, window = ARGV[10], tonumber(ARGV[11])

local device = redis.call('HMGET', KEYS[1], 'unreachable-until', 'environment', 'request', 'receipt')
if device[3] == request then return {'queued', device[4]} end
if device[1] and now < tonumber(device[1]) then return {'unreachable'} end
if redis.call('EXISTS', KEYS[5]) == 1 then return {'challenged'} end

local limits = {
  {name = 'device', key = KEYS[2], window = window, maximum = tonumber(ARGV[12]), bucket = 0},
}
for i = 6, #KEYS do
  table.insert(limits, {name = 'network', key = KEYS[i], window = window, maximum = tonumber(ARGV[i + 7]), bucket = 0})
end
for _, limit in ipairs(limits) do
  local wait = waitForRoom(limit, now)
  if wait > 0 then return {'spent', limit.name, wait} end
end

-- What APNs accepted before is a better guide than what the app says of itself.
local environment = device[2] or named
redis.call('HSET', KEYS[3], 'project', project, 'bundle', bundle, 'environment', environment, 'issued', now)
redis.call('PEXPIRE', KEYS[3], receiptLife)
redis.call('HSET', KEYS[1], 'request', request, 'receipt', receipt)
redis.call('PEXPIRE', KEYS[1], deviceLife)
countInWindows(limits, now, receipt)
local entry = redis.call('XADD', KEYS[4], '*', 'receipt', receipt, 'project', project, 'bundle', bundle,
  'token', token, 'environment', environment, 'expires', now + pushLife)
-- Bounds the stream even when nothing reads it. Entry ids are times of Redis's own clock.
redis.call('XTRIM', KEYS[4], 'MINID', '~', tonumber(string.match(entry, '^%d+')) - pushLife)
return {'queued', receipt}
