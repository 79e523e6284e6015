-- Removes a push from the outbox. Ends or extends its count as one to a device that may have been unproven, see
-- queue-push.lua.
-- REPEATABLE: it sets absolute values
-- KEYS  `outboxKey`  `unprovenKeys`… of the client's networks
-- ARGV  `id` of the entry  `group` of consumers  `receipt` id
--       `countsUntil`: until when the push counts as one to a bad token (ms), or "" if it does not
--       `life` of a count that is extended (ms)
-- RETURNS  1
-- record-push.lua has recorded the result at the device. After a crash in between, another dispatcher takes the push
-- and records its result again.

for _, key in ipairs(unprovenKeys) do
  if countsUntil == '' then
    redis.call('ZREM', key, receipt)
  else
    redis.call('ZADD', key, countsUntil, receipt)
    redis.call('PEXPIRE', key, life)
  end
end
redis.call('XACK', outboxKey, group, id)
redis.call('XDEL', outboxKey, id)
return 1
