-- Sliding-window rate limits.
-- A limit is a table: key, window (ms), maximum, bucket (ms), or 0 if each event is stored (a sliding-window log). Some
-- have reserved: how much of the maximum is for known clients only; events: how many to count in a bucket; or life of
-- the key (ms), if it is longer than the window.

-- Formats a whole number as Redis reads it. Passing a Lua number directly costs several times as much.
local function text(number)
  return string.format('%d', number)
end

-- Returns the limits of keys, which store each event. `bounds` has a value for each of the `names`, for each key.
local function readLimits(keys, bounds, names)
  local limits = {}
  for i, key in ipairs(keys) do
    limits[i] = {key = key, bucket = 0}
    for j, name in ipairs(names) do limits[i][name] = tonumber(bounds[(i - 1) * #names + j]) end
  end
  return limits
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
-- send may count too long, by less than a bucket, but never too short.
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

-- Returns how long until there is room for one more event (ms). Stores the events in the window in `limit.sends`, and
-- what countInWindows needs in other fields. Reads only.
local function waitForRoom(limit, now)
  if limit.bucket > 0 then return waitForBuckets(limit, now) end
  return waitForEach(limit, now)
end

-- Returns the refusal by the limits that have no room: for each its index, the events in its window and retry after
-- (ms); nil if all have room for `event`. A limit that stores each event has room for one that it has counted.
local function exceeded(limits, now, event)
  local reply
  for i, limit in ipairs(limits) do
    local wait = waitForRoom(limit, now)
    if wait > 0 and not (event and redis.call('ZSCORE', limit.key, event)) then
      reply = reply or {'limited'}
      for _, value in ipairs({i, limit.sends, wait}) do table.insert(reply, value) end
    end
  end
  return reply
end

-- Counts one event, once per key, or `limit.events` events in a limit that counts in buckets. Limits that share a key
-- are adjacent, the longest window last. A limit that has stored the event keeps the time of its first call;
-- `limit.added` of the key's last limit is 0 in this case, otherwise 1.
local function countInWindows(limits, now, event)
  for i, limit in ipairs(limits) do
    if limit.bucket > 0 then
      local current = text(limit.current)
      if limit.begins then
        if #limit.ended > 0 then redis.call('HDEL', limit.key, unpack(limit.ended)) end
        redis.call('HSET', limit.key, 'newest', current, 'older', text(limit.older))
        redis.call('PEXPIRE', limit.key, text(limit.window + 2 * limit.bucket))
      end
      redis.call('HINCRBY', limit.key, current, text(limit.events or 1))
    elseif not limits[i + 1] or limits[i + 1].key ~= limit.key then
      -- As in reserve.lua.
      local life = limit.life or text(limit.window)
      local exists = redis.call('PEXPIRE', limit.key, life) == 1
      limit.added = redis.call('ZADD', limit.key, 'NX', text(now), event)
      if exists then
        redis.call('ZREMRANGEBYSCORE', limit.key, '-inf', limit.since)
        if limit.added == 0 then limit.added = redis.call('ZADD', limit.key, 'NX', text(now), event) end
      end
      if not exists or limit.added == 1 and limit.sends == 0 then redis.call('PEXPIRE', limit.key, life) end
    end
  end
end

-- Counts an event in limits that store each event, if all have room for it. Returns the reply of reserve-in-all.lua.
local function reserve(limits, now, event)
  local refused = exceeded(limits, now, event)
  if refused then return refused end
  countInWindows(limits, now, event)
  local reply, added = {'reserved'}, 0
  for i = #limits, 1, -1 do
    -- Limits that share a key have the same result.
    added = limits[i].added or added
    reply[2 * i], reply[2 * i + 1] = limits[i].sends + added, added
  end
  return reply
end
