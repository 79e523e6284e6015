-- Lets a script go on when Redis is at its maxmemory: Redis then refuses the first write of a script if that can take
-- memory, but no later one. For what must work then because it frees memory or keeps users signed in, and that takes
-- little itself. `flags=allow-oom` does the same from Redis 7.0 on. `hash` is any hash, and need not exist.
local function writeWhenMemoryIsFull(hash)
  redis.call('HDEL', hash, '')
end
