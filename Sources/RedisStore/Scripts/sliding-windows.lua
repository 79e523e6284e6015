-- Sliding-window rate limits.
-- A limit is a table: key, window (ms), maximum, bucket (ms), or 0 if each event is stored (a sliding-window log), and
-- reserved: how much of the maximum is for known clients only.

-- Formats a whole number as Redis reads it. Passing a Lua number directly costs several times as much.
local function text(number)
  return string.format('%d', number)
end

-- Returns the limits of the keys from `first` to `last`. `bounds` has four values for each key: window, maximum, bucket
-- and reserved.
local function readLimits(keys, bounds, first, last)
  local limits = {}
  for i = first, last do
    limits[i - first + 1] = {key = keys[i], index = i, window = tonumber(bounds[4 * i - 3]),
      maximum = tonumber(bounds[4 * i - 2]), bucket = tonumber(bounds[4 * i - 1]), reserved = tonumber(bounds[4 * i])}
  end
  return limits
end

-- Returns whether the first limit stores each event and has this one.
local function isCounted(limits, event)
  return limits[1] and limits[1].bucket == 0 and redis.call('ZSCORE', limits[1].key, event)
end

-- Sliding-window log: a sorted set of the times of all sends. There is room for one more send once the send that is
-- `maximum` sends back has left the window.
local function waitForEach(limit, now)
  limit.since = text(now - limit.window)
  limit.sends = redis.call('ZCOUNT', limit.key, '(' .. limit.since, '+inf')
  if limit.sends < limit.maximum then return 0 end
  local rank = text(-limit.maximum)
  local barring = redis.call('ZRANGE', limit.key, rank, rank, 'WITHSCORES')
  return tonumber(barring[2]) + limit.window - now
end

-- Sliding-window counter, for limits with too many sends to store each: a hash of buckets of time with the sends of
-- each, and `newest` and `older`, the number of the newest bucket and the sum of the others. All buckets are read only
-- when a bucket begins or a message is refused. A bucket counts until its last possible send has left the window: a
-- send counts too long, by less than a bucket, and never too short.
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

-- Returns how long until there is room for one more event (ms). Notes in `limit.sends` the events in the window, and in
-- other fields what countInWindows needs. Reads only.
local function waitForRoom(limit, now)
  if limit.bucket > 0 then return waitForBuckets(limit, now) end
  return waitForEach(limit, now)
end

-- Returns the refusal by the first limit that has no room: its index, the events in its window, retry after (ms), and 0
-- for no reserved part to report; nil if all have room.
local function refusal(limits, now)
  for _, limit in ipairs(limits) do
    local wait = waitForRoom(limit, now)
    if wait > 0 then return {'limited', limit.index, limit.sends, wait, 0} end
  end
end

-- Counts one event, once per key. Limits that share a key are adjacent, the longest window last.
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
