-- Records APNs's response to a push, and removes the push from the outbox.
-- NOT REPEATABLE: a dispatcher's calls have no deadline
-- KEYS  `deviceKey`  `receiptKey`  `outboxKey`
-- ARGV  `id` of the entry  `group` of consumers  `environment` that accepted the push, or ""
--       `unreachableUntil`: until when the device counts as unreachable (ms), or ""
--       `life` of the device's record (ms)
--       `unusedReceiptLife` of a delivered receipt until its first use (ms)
-- RETURNS  1 | 0: the entry was removed before
-- Atomic: when a push is no longer in the outbox, its result is recorded. record-unproven-push.lua has already recorded
-- it in the slots of the client's networks: after a crash in between, another dispatcher takes the push and records its
-- result again.

if environment ~= '' then
  redis.call('HSET', deviceKey, 'environment', environment)
  redis.call('HDEL', deviceKey, 'unreachable-until')
  if redis.call('EXISTS', receiptKey) == 1 then
    redis.call('HSET', receiptKey, 'environment', environment)
    if redis.call('PTTL', receiptKey) < tonumber(unusedReceiptLife) then
      redis.call('PEXPIRE', receiptKey, unusedReceiptLife)
    end
  end
end
if unreachableUntil ~= '' then
  redis.call('HSET', deviceKey, 'unreachable-until', unreachableUntil)
  redis.call('HDEL', deviceKey, 'environment')
end
if environment ~= '' or unreachableUntil ~= '' then redis.call('PEXPIRE', deviceKey, life) end
redis.call('XACK', outboxKey, group, id)
return redis.call('XDEL', outboxKey, id)
