-- Counts work that a client requests against its rate limits, before the work is done.
-- USES executed-calls, sliding-windows
-- REPEATABLE: a limit that stores each event has the request, else executed-calls.lua
-- KEYS  `limitKeys`… one per limit: first the limits on attempts, then the limits on account creation
-- ARGV  `now` (ms)  `request` id  `attempts`: number of limits on attempts
--       `bounds`… four for each key, see readLimits in sliding-windows.lua
-- RETURNS  {"allowed", whether this call made a reservation that release-reservation.lua can give back (0 | 1)}
--          | {"limited", index of the limit's key, events in its window, retry after (ms), 0}
-- Atomic: the work is counted in all windows or in none. The keys have different hash tags: on a Redis Cluster each key
-- would need its own call, and the calls before a refusal would already have counted the work.
-- Idempotent: the front end may retry a request whose worker died. If the first key of each group stores each event, a
-- request id is counted once in the attempts and once in the accounts. A request whose reservation was given back makes
-- a new reservation. A resent call is always counted once.

now, attempts = tonumber(now), tonumber(attempts)

local ofAttempts = readLimits(limitKeys, bounds, 1, attempts)
local ofAccounts = readLimits(limitKeys, bounds, attempts + 1, #limitKeys)

-- Returns whether the first limit stores each event. Also true if there are no limits.
local function remembersEach(limits)
  return not limits[1] or limits[1].bucket == 0
end

local isRemembered = remembersEach(ofAttempts) and remembersEach(ofAccounts)
if not isRemembered and executedBefore() then return {'allowed', 0} end
if isCounted(ofAttempts, request) then ofAttempts = {} end
if isCounted(ofAccounts, request) then ofAccounts = {} end
local refused = refusal(ofAttempts, now) or refusal(ofAccounts, now)
if refused then return refused end
countInWindows(ofAttempts, now, request)
countInWindows(ofAccounts, now, request)
if not isRemembered then rememberExecution({}) end
return {'allowed', ofAccounts[1] and ofAccounts[1].bucket == 0 and 1 or 0}
