-- Creates a push receipt for a device.
-- REPEATABLE: it sets the same values
-- KEYS  `deviceKey`  `receiptKey`
-- ARGV  `now` (ms)  `receipt`: its id  `project`  `bundle` id  `environment` of the device  `request` id
--       `device` hash  `isProven`: whether APNs has accepted a push to the device (0 | 1)
--       `unprovenLife` of the receipt, and of an unproven device's record (ms)
-- RETURNS  1
-- The receipt proves nothing until its push, which queue-push.lua queues, has brought its secret to the device.
-- Idempotent: the front end may retry a request whose worker died. The device names the receipt of its last request.

redis.call('HSET', receiptKey, 'project', project, 'bundle', bundle, 'environment', environment, 'issued', now,
  'device', device)
redis.call('PEXPIRE', receiptKey, unprovenLife)
redis.call('HSET', deviceKey, 'request', request, 'receipt', receipt)
if isProven == '0' then redis.call('PEXPIRE', deviceKey, unprovenLife) end
return 1
