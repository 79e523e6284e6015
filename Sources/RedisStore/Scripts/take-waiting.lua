-- Gives a dispatcher the waiting items that are due and that one of their destinations can take now.
-- KEYS  1 outbox   2 waiting items
-- ARGV  1 consumer group  2 dispatcher  3 now (ms)  4 maximum of waiting items to examine
--       5 how long to postpone items whose destinations are closed (ms)
--       6… destination, how many items it can take; -1 if it is closed for a while (its circuit breaker is open)
-- RETURNS  {stored state, {id, fields}} for each item
-- Atomic: an item that no longer waits is pending at the dispatcher, and another one takes it over if the dispatcher
-- dies.

local group, dispatcher, now, limit = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local room = {}
for i = 6, #ARGV, 2 do room[ARGV[i]] = tonumber(ARGV[i + 1]) end

-- Returns whether a dispatcher should take the item: its time is up, one of its destinations is not known here, or a
-- destination has room. Also returns whether all its destinations are closed.
local function isTaken(untilTime, destinations)
  if now >= untilTime then return true, false end
  local isClosed = true
  for destination in string.gmatch(destinations, '[^,]+') do
    local left = room[destination]
    if not left then return true, false end
    if left > 0 then
      room[destination] = left - 1
      return true, false
    end
    if left == 0 then isClosed = false end
  end
  return false, isClosed
end

local time = redis.call('TIME')
local clock = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', clock), 'LIMIT', 0, limit)
local later = string.format('%.0f', clock + ARGV[5])
local items = {}
for _, member in ipairs(due) do
  local id, untilTime, destinations, known = string.match(member, '^(%S+) (%d+) (%S+) (.*)$')
  local taken, isClosed = true, false
  if id then taken, isClosed = isTaken(tonumber(untilTime), destinations) end
  if taken then
    redis.call('ZREM', KEYS[2], member)
    local entry = id and redis.call('XRANGE', KEYS[1], id, id)[1]
    -- If the consumer group was recreated, the stream may already have given the item to a dispatcher.
    if entry and #redis.call('XPENDING', KEYS[1], group, id, id, 1) == 0 then
      redis.call('XCLAIM', KEYS[1], group, dispatcher, 0, id, 'FORCE', 'JUSTID')
      items[#items + 1] = {known, entry}
    end
  elseif isClosed or #due == limit then
    -- Makes way for the items behind it.
    redis.call('ZADD', KEYS[2], later, member)
  end
end
return items
