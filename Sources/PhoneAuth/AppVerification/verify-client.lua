-- Creates the receipt of a push that is queued.
-- REPEATABLE: it sets the same values
-- KEYS  `receiptKey`
-- ARGV  `now` (ms)  `project`  `bundle` id  `environment` of the device  `device` hash
--       `unprovenLife` of the receipt (ms)
-- RETURNS  1
-- The receipt proves nothing until its push, which queue-push.lua queues, has brought its secret to the device.

redis.call('HSET', receiptKey, 'project', project, 'bundle', bundle, 'environment', environment, 'issued', now,
  'device', device)
redis.call('PEXPIRE', receiptKey, unprovenLife)
return 1
