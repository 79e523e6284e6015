-- Counts work that a client asks for, before it is done.
-- KEYS  one for each limit: first those on attempts, then those on accounts that are created
-- ARGV  1 now (ms)  2 request id  3 how many limits are on attempts
--       4… for each key its window (ms), maximum, and bucket (ms), or 0 if each event is remembered
-- RETURNS  {"admitted", whether this call made a reservation that release-reservation.lua can give back (0 | 1)}
--          | {"limited", which key's limit, events in its window, retry after (ms)}
-- Atomic: the work is counted in all windows or in none. The keys have different tags: on a Redis Cluster each would be
-- a call of its own, and refused work would be counted in the windows before.
-- A front end may repeat a request whose worker died: the same request id is counted once in the attempts and once in
-- the accounts, if the first key of each remembers each event. A request whose reservation was given back makes
-- another one. A call that is sent again is counted once in any case.

local now, request, attempts = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])

-- Whether the first of these keys, if there is any, remembers each event.
local function remembersEach(first, last)
  return first > last or ARGV[3 * first + 3] == '0'
end

local isRemembered = remembersEach(1, attempts) and remembersEach(attempts + 1, #KEYS)
if not isRemembered and executedBefore() then return {'admitted', 0} end

-- The limits of these keys; none if the request was counted in them before.
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
