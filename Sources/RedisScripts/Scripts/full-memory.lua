-- Lets a script write when Redis has reached maxmemory. Redis refuses a script's first write if that write can take
-- memory, but no later write. For scripts that take little memory and must work then, because they free memory or keep
-- users signed in. `flags=allow-oom` does the same from Redis 7.0 on. `hash` is any hash, and need not exist.
local function writeWhenMemoryIsFull(hash)
  redis.call('HDEL', hash, '')
end
