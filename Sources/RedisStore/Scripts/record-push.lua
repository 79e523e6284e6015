-- Remembers what APNs said of a device, and takes the push off the outbox.
-- KEYS  1 device   2 receipt   3 outbox
-- ARGV  1 outbox entry  2 consumer group  3 environment that accepted the push, or ""
--       4 until when the device counts as unreachable (ms), or ""  5 life of the device's record (ms)
-- RETURNS  1, or 0 if the entry was taken off before
-- Atomic: a push that is off the outbox has left what it taught.

if ARGV[3] ~= '' then
  redis.call('HSET', KEYS[1], 'environment', ARGV[3])
  redis.call('HDEL', KEYS[1], 'unreachable-until')
  if redis.call('EXISTS', KEYS[2]) == 1 then redis.call('HSET', KEYS[2], 'environment', ARGV[3]) end
end
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[1], 'unreachable-until', ARGV[4])
  redis.call('HDEL', KEYS[1], 'environment')
end
if ARGV[3] ~= '' or ARGV[4] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[5]) end
redis.call('XACK', KEYS[3], ARGV[2], ARGV[1])
return redis.call('XDEL', KEYS[3], ARGV[1])
