-- Records APNs's response to a push, and removes the push from the outbox.
-- NOT REPEATABLE: a dispatcher's calls have no deadline
-- KEYS  `deviceKey`  `receiptKey`  `outboxKey`
--       `unprovenKeys`… for each network of the client: until when its pushes to unproven devices count
-- ARGV  `id` of the entry  `group` of consumers  `environment` that accepted the push, or ""
--       `unreachableUntil`: until when the device counts as unreachable (ms), or ""
--       `life` of the device's record and of the count (ms)
--       `receipt` id  `unusedReceiptLife` of a delivered receipt until its first use (ms)
--       `countsUntil`: until when the push counts as one to a bad token (ms), or "" if it does not
-- RETURNS  1 | 0: the entry was removed before
-- Atomic: when a push is no longer in the outbox, its result is recorded.
-- The networks' keys have other hash tags than the device's: on a Redis Cluster writing them would be a separate, later
-- call.

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
for _, key in ipairs(unprovenKeys) do
  if countsUntil == '' then
    redis.call('ZREM', key, receipt)
  else
    redis.call('ZADD', key, countsUntil, receipt)
    redis.call('PEXPIRE', key, life)
  end
end
redis.call('XACK', outboxKey, group, id)
return redis.call('XDEL', outboxKey, id)
