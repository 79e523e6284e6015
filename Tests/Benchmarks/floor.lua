-- The floor of a send in Redis: a lock, a session of four fields that expires, and a queued message.
redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', '60000')
redis.call('HSET', KEYS[2], 'state', 'open', 'phone', ARGV[2], 'project', ARGV[3], 'expires', ARGV[4])
redis.call('PEXPIRE', KEYS[2], '600000')
redis.call('XADD', KEYS[3], '*', 'session', ARGV[1], 'phone', ARGV[2])
return {'opened'}
