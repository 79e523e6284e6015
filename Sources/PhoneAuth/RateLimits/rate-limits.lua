-- Rate limits. There are two kinds, and RateLimit.swift says which limit is of which kind:
-- - A log (a sliding window, exact to the event) is a string of lines, the oldest first: an event's id and its time
--   (ms). Times never decrease: if a worker's clock is behind, its event has the time of the one before.
-- - A rate is one number, the theoretical arrival time (µs) of the generic cell rate algorithm (GCRA). Each event moves
--   it by the window divided by the maximum. The events that still count are its distance from now, less the
--   tolerance, divided by that.
-- A limit is a table: key, maximum, window (ms) of a log, interval (µs) of a rate: the window divided by the maximum,
-- and how far ahead its time can be (µs). CellRate.swift computes rates as this file does.

-- Returns the limits of the first keys. `bounds` has maximum, window of a log or furthest time of a rate, and interval
-- or "", of each.
local function readLimits(keys, bounds)
  local limits = {}
  for i = 1, #bounds / 3 do
    local interval, length = tonumber(bounds[3 * i]), tonumber(bounds[3 * i - 1])
    limits[i] = {key = keys[i], maximum = tonumber(bounds[3 * i - 2]), window = not interval and length or nil,
      interval = interval, furthest = length}
  end
  return limits
end

-- Stores the events that count in `limit.events`, and returns how long until there is room for one more (ms): 0 if
-- there is. Reads only.
local function waitForRoom(limit, now)
  limit.stored = redis.call('GET', limit.key)
  if limit.window then
    local times = {}
    for time in string.gmatch(limit.stored or '', ' (%d+)\n') do times[#times + 1] = tonumber(time) end
    local count, events = #times, 0
    while events < count and times[count - events] > now - limit.window do events = events + 1 end
    limit.events, limit.last = events, times[count]
    -- There is room once the event that is `maximum` events back has left the window.
    return events < limit.maximum and 0 or times[count + 1 - limit.maximum] + limit.window - now
  end
  limit.ahead = math.max(0, (tonumber(limit.stored) or 0) - 1000 * now)
  if limit.ahead > limit.furthest then limit.ahead = 0 end
  local tolerance = math.min(math.floor(limit.interval / 2), 5000000)
  limit.events = math.ceil(math.max(0, limit.ahead - tolerance) / limit.interval)
  if limit.events < limit.maximum then return 0 end
  return math.ceil((limit.ahead - (limit.maximum - 1) * limit.interval) / 1000)
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

-- Returns the lines of a log whose events still count, without those of `event`.
local function withoutEvent(limit, now, event)
  local kept = {}
  for line, id, time in string.gmatch(limit.stored or '', '(([^\n]*) (%d+)\n)') do
    if id ~= event and tonumber(time) > now - limit.window then kept[#kept + 1] = line end
  end
  return table.concat(kept)
end

-- Stores a rate that is `ahead` (µs) of now.
local function setRate(limit, now, ahead)
  redis.call('SET', limit.key, string.format('%d', 1000 * now + ahead), 'PX', string.format('%d', ahead / 1000 + 1))
end

-- Counts an event in limits that have room for it. Logs that share a key are adjacent, the longest window last.
local function countInLimits(limits, now, event)
  for i, limit in ipairs(limits) do
    if not limit.window then
      setRate(limit, now, limit.ahead + limit.interval)
    elseif not limits[i + 1] or limits[i + 1].key ~= limit.key then
      local time = string.format('%d', math.max(now, limit.last or 0))
      redis.call('SET', limit.key, withoutEvent(limit, now, event) .. event .. ' ' .. time .. '\n', 'PX',
        string.format('%d', limit.window))
    end
  end
end
