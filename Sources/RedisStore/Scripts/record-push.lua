-- Records APNs's response to a push, and removes the push from the outbox.
-- KEYS  1 device   2 receipt   3 outbox   4… for each network of the client: until when its pushes to unproven devices
--       count
-- ARGV  1 outbox entry  2 consumer group  3 environment that accepted the push, or ""
--       4 until when the device counts as unreachable (ms), or ""  5 life of the device's record (ms)
--       6 receipt id  7 life of a delivered receipt until its first use (ms)
--       8 until when the push counts as one to a bad token (ms), or "" if it does not  9 life of that count (ms)
-- RETURNS  1 | 0: the entry was removed before
-- Atomic: when a push is no longer in the outbox, its result is recorded.
-- The networks' keys have other hash tags than the device's: on a Redis Cluster writing them would be a separate, later
-- call.

if ARGV[3] ~= '' then
  redis.call('HSET', KEYS[1], 'environment', ARGV[3])
  redis.call('HDEL', KEYS[1], 'unreachable-until')
  if redis.call('EXISTS', KEYS[2]) == 1 then
    redis.call('HSET', KEYS[2], 'environment', ARGV[3])
    if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[7]) then redis.call('PEXPIRE', KEYS[2], ARGV[7]) end
  end
end
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[1], 'unreachable-until', ARGV[4])
  redis.call('HDEL', KEYS[1], 'environment')
end
if ARGV[3] ~= '' or ARGV[4] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[5]) end
for i = 4, #KEYS do
  if ARGV[8] == '' then
    redis.call('ZREM', KEYS[i], ARGV[6])
  else
    redis.call('ZADD', KEYS[i], ARGV[8], ARGV[6])
    redis.call('PEXPIRE', KEYS[i], ARGV[9])
  end
end
redis.call('XACK', KEYS[3], ARGV[2], ARGV[1])
return redis.call('XDEL', KEYS[3], ARGV[1])
