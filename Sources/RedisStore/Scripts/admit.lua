-- Counts work that a client requests against its rate limits, before the work is done.
-- KEYS  one per limit: first the limits on attempts, then the limits on account creation
-- ARGV  1 now (ms)  2 request id  3 number of limits on attempts
--       4… for each key its window (ms), maximum, and bucket (ms), or 0 if each event is stored
-- RETURNS  {"admitted", whether this call made a reservation that release-reservation.lua can give back (0 | 1)}
--          | {"limited", index of the limit's key, events in its window, retry after (ms)}
-- Atomic: the work is counted in all windows or in none. The keys have different hash tags: on a Redis Cluster each key
-- would need its own call, and the calls before a refusal would already have counted the work.
-- Idempotent: the front end may retry a request whose worker died. If the first key of each group stores each event, a
-- request id is counted once in the attempts and once in the accounts. A request whose reservation was given back makes
-- a new reservation. A resent call is always counted once.

local now, request, attempts = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])

-- Returns whether the first of these keys stores each event. Also true if there are no keys.
local function remembersEach(first, last)
  return first > last or ARGV[3 * first + 3] == '0'
end

local isRemembered = remembersEach(1, attempts) and remembersEach(attempts + 1, #KEYS)
if not isRemembered and executedBefore() then return {'admitted', 0} end

-- Returns the limits of these keys, or none if the request has already been counted in them.
local function limitsToCount(first, last)
  local limits = {}
  for i = first, last do
    limits[i - first + 1] = {key = KEYS[i], index = i, window = tonumber(ARGV[3 * i + 1]),
      maximum = tonumber(ARGV[3 * i + 2]), bucket = tonumber(ARGV[3 * i + 3])}
  end
  local remembering = limits[1]
  if remembering and remembering.bucket == 0 and redis.call('ZSCORE', remembering.key, request) then return {} end
  return limits
end

local ofAttempts, ofAccounts = limitsToCount(1, attempts), limitsToCount(attempts + 1, #KEYS)
for _, limits in ipairs({ofAttempts, ofAccounts}) do
  for _, limit in ipairs(limits) do
    local wait = waitForRoom(limit, now)
    if wait > 0 then return {'limited', limit.index, limit.sends, wait} end
  end
end
countInWindows(ofAttempts, now, request)
countInWindows(ofAccounts, now, request)
if not isRemembered then rememberExecution({}) end
return {'admitted', ofAccounts[1] and ofAccounts[1].bucket == 0 and 1 or 0}
