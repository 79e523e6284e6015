-- Counts events in rate limits that count in buckets of time, before the events happen: the caller has leased them, and
-- uses them without further calls.
-- USES executed-calls, full-memory, sliding-windows
-- REPEATABLE: executed-calls.lua
-- KEYS  `limitKeys`… one per limit
-- ARGV  `now` (ms)
--       `bounds`… four for each key: window (ms), maximum, bucket (ms), and how many events are wanted
-- RETURNS  {"leased", for each limit: events in its window with the leased ones, how many are leased, number of the
--          bucket that counts them, how many the caller may hold unused}
--          | {"limited", for each limit without room: its index, events in its window, retry after (ms)}
-- Atomic: either events of all limits are leased or nothing has changed.
-- A lease is at most a hundredth of what is left, so a limit that is small or nearly reached leases one event to each
-- request and is exact. Leased events count until their bucket leaves the window, used or not: a limit may refuse too
-- early, but never too late. For the same reason a repeated request whose first worker died is counted twice.

local before = executedBefore()
if before then return before.reply end
now = tonumber(now)
local limits = {}
for i, key in ipairs(limitKeys) do
  limits[i] = {key = key, window = tonumber(bounds[4 * i - 3]), maximum = tonumber(bounds[4 * i - 2]),
    bucket = tonumber(bounds[4 * i - 1])}
end
local reply = exceeded(limits, now)
if reply then return reply end
reply = {'leased'}
for i, limit in ipairs(limits) do
  local share = math.floor((limit.maximum - limit.sends) / 100)
  limit.events = math.max(1, math.min(tonumber(bounds[4 * i]), share))
  for _, value in ipairs({limit.sends + limit.events, limit.events, limit.current, share}) do
    table.insert(reply, value)
  end
end
-- Existing users must be able to sign in when Redis has reached maxmemory.
writeWhenMemoryIsFull(limits[1].key)
countInWindows(limits, now)
rememberExecution({reply = reply})
return reply
