-- Rate limits. There are two kinds, and RateLimit.swift says which limit is of which kind:
-- - A log is a sorted set of all events by their times (a sliding window, exact to the event).
-- - A rate is one number, the theoretical arrival time (ms) of the generic cell rate algorithm (GCRA). Each event moves
--   it by the window divided by the maximum. The events that still count are its distance from now, divided by that.
-- A limit is a table: key, window (ms), maximum, and isLog. CellRate.swift computes rates as this file does.

-- Returns the limits of the first keys. `bounds` has window, maximum and kind ("log" or "rate") of each.
local function readLimits(keys, bounds)
  local limits = {}
  for i = 1, #bounds / 3 do
    limits[i] = {key = keys[i], window = tonumber(bounds[3 * i - 2]), maximum = tonumber(bounds[3 * i - 1]),
      isLog = bounds[3 * i] == 'log'}
  end
  return limits
end

-- Stores the events that count in `limit.events`, and returns how long until there is room for one more (ms): 0 if
-- there is. Reads only.
local function waitForRoom(limit, now)
  if limit.isLog then
    limit.since = string.format('%d', now - limit.window)
    limit.events = redis.call('ZCOUNT', limit.key, '(' .. limit.since, '+inf')
    if limit.events < limit.maximum then return 0 end
    -- There is room once the event that is `maximum` events back has left the window.
    local rank = string.format('%d', -limit.maximum)
    local barring = redis.call('ZRANGE', limit.key, rank, rank, 'WITHSCORES')
    return barring[2] + limit.window - now
  end
  limit.interval = limit.window / limit.maximum
  limit.arrival = math.max(now, tonumber(redis.call('GET', limit.key) or 0))
  -- The small number is for errors of rounding.
  local events = (limit.arrival - now) / limit.interval - 0.01
  limit.events = math.max(0, math.ceil(events))
  if events <= limit.maximum - 1 then return 0 end
  return math.ceil(limit.arrival + (1 - limit.maximum) * limit.interval - now)
end

-- Returns the refusal by the limits that have no room: {"limited", for each its index, the events that count, and retry
-- after (ms)}; nil if all have room for one more event.
local function exceeded(limits, now)
  local reply
  for i, limit in ipairs(limits) do
    local wait = waitForRoom(limit, now)
    if wait > 0 then
      reply = reply or {'limited'}
      for _, value in ipairs({i, limit.events, wait}) do table.insert(reply, value) end
    end
  end
  return reply
end

-- Counts an event in limits that have room for it. Logs that share a key are adjacent, the longest window last. A log
-- keeps the time of an event that it has.
local function countInLimits(limits, now, event)
  for i, limit in ipairs(limits) do
    if not limit.isLog then
      local arrival = limit.arrival + limit.interval
      redis.call('SET', limit.key, string.format('%.4f', arrival), 'PX', string.format('%d', arrival - now + 1))
    elseif not limits[i + 1] or limits[i + 1].key ~= limit.key then
      -- Adds before it removes: see "Keys that move" in LuaFile.swift.
      local added = redis.call('ZADD', limit.key, 'NX', string.format('%d', now), event)
      redis.call('ZREMRANGEBYSCORE', limit.key, '-inf', limit.since)
      -- An event that was counted before this window is counted again.
      if added == 0 then redis.call('ZADD', limit.key, 'NX', string.format('%d', now), event) end
      redis.call('PEXPIRE', limit.key, limit.life or string.format('%d', limit.window))
    end
  end
end
