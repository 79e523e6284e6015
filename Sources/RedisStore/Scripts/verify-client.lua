-- Creates a push receipt for a device and queues the silent push that carries it.
-- USES executed-calls, sliding-windows
-- REPEATABLE: executed-calls.lua
-- KEYS  `deviceKey`  `receiptKey` new receipt  `outboxKey`  `limitKeys`… of the rate limits of the device
-- ARGV  `now` (ms)  `receipt`: its new id  `project`  `bundle` id  `token`: sealed device token
--       `environment` that the app reports  `request` id  `device` hash  `pushLife` (ms)
--       `unprovenLife` of an unproven device's record (ms)  `networks` of the client, for the dispatcher
--       `isCounted`: whether the networks count the push as one to an unproven device (0 | 1)
--       `bounds`… for each limit, see readLimits in sliding-windows.lua
-- RETURNS  {"queued", receipt id, 1 if the device is proven, else 0} | {"unreachable"}
--          | {"limited", for each limit without room: its index, events in its window, retry after (ms)}
--          | {"unproven"}: the device is unproven, and the networks do not count the push
-- Atomic: either receipt, budget and outbox entry all exist afterwards, or nothing changed.
-- The limits of the client's networks are in other slots. They have reserved the push already, and release it if it is
-- not queued. After a crash in between, they count it until it leaves their windows.
-- Idempotent: the front end may retry a request whose worker died. The same request id receives the same receipt, and
-- no second push is queued. The same applies to a resent call, even if the device has made another request since.
--
-- A device is proven once APNs has accepted a push to it: see reserve-pushes.lua.

local before = executedBefore()
if before then return {'queued', before.receipt, before.proven} end
local known = redis.call('HMGET', deviceKey, 'unreachable-until', 'environment', 'request', 'receipt')
local proven = known[2] and 1 or 0
if known[3] == request then return {'queued', known[4], proven} end
now = tonumber(now)
if known[1] and now < tonumber(known[1]) then return {'unreachable'} end
local limits = readLimits(limitKeys, bounds, {'window', 'maximum'})
local refused = exceeded(limits, now)
if refused then return refused end
if proven == 0 and isCounted == '0' then return {'unproven'} end

-- The environment in which APNs accepted a push is more reliable than what the app reports.
environment = known[2] or environment
redis.call('HSET', receiptKey, 'project', project, 'bundle', bundle, 'environment', environment,
  'issued', text(now), 'device', device)
redis.call('PEXPIRE', receiptKey, unprovenLife)
redis.call('HSET', deviceKey, 'request', request, 'receipt', receipt)
if proven == 0 then redis.call('PEXPIRE', deviceKey, unprovenLife) end
countInWindows(limits, now, receipt)
local entry = redis.call('XADD', outboxKey, '*', 'receipt', receipt, 'project', project, 'bundle', bundle,
  'token', token, 'environment', environment, 'expires', text(now + pushLife), 'networks', networks)
-- Bounds the stream even if nothing reads it. Entry ids are times of Redis's clock.
redis.call('XTRIM', outboxKey, 'MINID', '~', tonumber(string.match(entry, '^%d+')) - pushLife)
rememberExecution({receipt = receipt, proven = proven})
return {'queued', receipt, proven}
