-- Gives a dispatcher the waiting items that are due and that one of their destinations can take now.
-- NOT REPEATABLE: a dispatcher's calls have no deadline
-- KEYS  `outboxKey`  `waitingKey` waiting items
-- ARGV  `group` of consumers  `dispatcher`  `now` (ms)  `maximum` of waiting items to examine
--       `breakerOpenDelay`: how long to postpone items if all circuit breakers are open (ms)
--       `rooms`… destination, how many items it can take; -1 if its circuit breaker is open
-- RETURNS  {stored state, {id, fields}} for each item
-- Atomic: an item that no longer waits is pending at the dispatcher, and another one takes it over if the dispatcher
-- dies.

now, maximum = tonumber(now), tonumber(maximum)
local room = {}
for i = 1, #rooms, 2 do room[rooms[i]] = tonumber(rooms[i + 1]) end

-- Returns whether a dispatcher should take the item: its time is up, one of its destinations is not known here, or a
-- destination has room. Also returns whether the circuit breakers of all its destinations are open.
local function isTaken(untilTime, destinations)
  if now >= untilTime then return true, false end
  local isOpen = true
  for destination in string.gmatch(destinations, '[^,]+') do
    local left = room[destination]
    if not left then return true, false end
    if left > 0 then
      room[destination] = left - 1
      return true, false
    end
    if left == 0 then isOpen = false end
  end
  return false, isOpen
end

local time = redis.call('TIME')
local clock = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZRANGEBYSCORE', waitingKey, '-inf', string.format('%.0f', clock), 'LIMIT', 0, maximum)
local later = string.format('%.0f', clock + breakerOpenDelay)
local items = {}
for _, member in ipairs(due) do
  local id, untilTime, destinations, known = string.match(member, '^(%S+) (%d+) (%S+) (.*)$')
  local taken, isOpen = true, false
  if id then taken, isOpen = isTaken(tonumber(untilTime), destinations) end
  if taken then
    redis.call('ZREM', waitingKey, member)
    local entry = id and redis.call('XRANGE', outboxKey, id, id)[1]
    -- If the consumer group was recreated, the stream may already have given the item to a dispatcher.
    if entry and #redis.call('XPENDING', outboxKey, group, id, id, 1) == 0 then
      redis.call('XCLAIM', outboxKey, group, dispatcher, 0, id, 'FORCE', 'JUSTID')
      items[#items + 1] = {known, entry}
    end
  elseif isOpen or #due == maximum then
    -- Moves the item behind the others, which it would otherwise block.
    redis.call('ZADD', waitingKey, later, member)
  end
end
return items
