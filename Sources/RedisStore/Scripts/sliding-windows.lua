-- Limits on how often something may happen in any window of time. The scripts that have such limits begin with this text.
-- A limit is a table: key, window (ms), maximum, and bucket (ms), or 0 where each event is remembered.

-- Whole numbers as Redis reads them. A number that is handed to Redis as it is costs several times as much to write.
local function text(number)
  return string.format('%d', number)
end

-- Each send is remembered: a sorted set of times. One more fits in when the send that is `maximum` sends ago has left.
local function waitForEach(limit, now)
  limit.since = text(now - limit.window)
  limit.sends = redis.call('ZCOUNT', limit.key, '(' .. limit.since, '+inf')
  if limit.sends < limit.maximum then return 0 end
  local rank = text(-limit.maximum)
  local barring = redis.call('ZRANGE', limit.key, rank, rank, 'WITHSCORES')
  return tonumber(barring[2]) + limit.window - now
end

-- Too many to remember each: a hash of buckets of time, each with its sends, and beside them the newest one's number and what
-- the older ones hold together, so that all are read only when a bucket begins or a message is refused. A bucket counts until
-- the last send that it can hold has left the window: so a send counts too long, by less than a bucket, and never too short.
local function waitForBuckets(limit, now)
  local current = math.floor(now / limit.bucket)
  local known = redis.call('HMGET', limit.key, 'newest', 'older', text(current))
  local newest = tonumber(known[1]) or 0
  -- Another worker's clock may be ahead.
  if newest > current then current, known[3] = newest, redis.call('HGET', limit.key, text(newest)) end
  local oldest = current - limit.window / limit.bucket
  local sends = tonumber(known[3]) or 0
  local buckets
  if newest < current or tonumber(known[2]) + sends >= limit.maximum then
    buckets, limit.older, limit.ended = {}, 0, {}
    local hash = redis.call('HGETALL', limit.key)
    for i = 1, #hash, 2 do
      local bucket, held = tonumber(hash[i]), tonumber(hash[i + 1])
      if bucket and bucket < oldest then
        table.insert(limit.ended, hash[i])
      elseif bucket then
        buckets[bucket] = held
        if bucket < current then limit.older = limit.older + held end
      end
    end
    limit.begins = newest < current
  else
    limit.older = tonumber(known[2])
  end
  limit.current, limit.sends = current, limit.older + sends
  local left, wait = limit.sends, 0
  while left >= limit.maximum do
    left = left - (buckets[oldest] or 0)
    oldest = oldest + 1
    wait = oldest * limit.bucket + limit.window - now
  end
  return wait
end

-- How long until there is room for one more (ms). Notes in `limit.sends` how many there are, and what counting needs. Reads only.
local function waitForRoom(limit, now)
  if limit.bucket > 0 then return waitForBuckets(limit, now) end
  return waitForEach(limit, now)
end

-- Counts one event in each key once. Of limits with one key the last has the longest window.
local function countInWindows(limits, now, event)
  for i, limit in ipairs(limits) do
    if limit.bucket > 0 then
      local current = text(limit.current)
      if limit.begins then
        if #limit.ended > 0 then redis.call('HDEL', limit.key, unpack(limit.ended)) end
        redis.call('HSET', limit.key, 'newest', current, 'older', text(limit.older))
        redis.call('PEXPIRE', limit.key, text(limit.window + 2 * limit.bucket))
      end
      redis.call('HINCRBY', limit.key, current, '1')
    elseif not limits[i + 1] or limits[i + 1].key ~= limit.key then
      redis.call('ZREMRANGEBYSCORE', limit.key, '-inf', limit.since)
      redis.call('ZADD', limit.key, text(now), event)
      redis.call('PEXPIRE', limit.key, text(limit.window))
    end
  end
end
