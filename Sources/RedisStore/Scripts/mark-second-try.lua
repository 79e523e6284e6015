-- Writes something of no meaning, so that replicas confirm what was written before in this slot. `WAIT` asks about the
-- writes of its own connection only, and a second try may find everything written over another one.
-- KEYS  1 mark     ARGV  1 life of the mark (ms)     RETURNS  1

writeWhenMemoryIsFull(KEYS[1])
redis.call('HSET', KEYS[1], 'at', '')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
