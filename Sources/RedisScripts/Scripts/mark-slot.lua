-- Makes a write without effect, so that replicas confirm earlier writes in this slot. `WAIT` covers only the writes of
-- its own connection, and another connection may have made all writes of a resent call.
-- USES full-memory
-- NOT REPEATABLE: it is part of a resent call, or of a call that has no deadline
-- KEYS  `markKey`
-- ARGV  `life` of the mark (ms)
-- RETURNS  1

writeWhenMemoryIsFull(markKey)
redis.call('HSET', markKey, 'at', '')
redis.call('PEXPIRE', markKey, life)
return 1
