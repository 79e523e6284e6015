-- Makes a write with no meaning, so that replicas confirm earlier writes in this slot. `WAIT` covers only the writes of
-- its own connection, and a second try may find that another connection has made all of them.
-- KEYS  1 mark     ARGV  1 life of the mark (ms)     RETURNS  1

writeWhenMemoryIsFull(KEYS[1])
redis.call('HSET', KEYS[1], 'at', '')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
