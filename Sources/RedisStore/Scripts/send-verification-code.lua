-- Opens a verification session, or returns the one that this number and client already have.
-- REPEATABLE: the log of the number's messages and the sessions store the ids of their calls
-- KEYS  `lockKey` session of number and client, see below  `sessionKey` new session  `outboxKey`  `decisionsKey`
--       `knownClientsKey` clients that gave a correct code
--       `windowKey`: a sliding-window log, the number's messages by the time when they were sent
-- ARGV  `now` (ms)  `newID` of a new session  `newPhone`: sealed number
--       `codeSource`: "derived", or "test-number": no message and no limit
--       `binding`  `client`: known for all purposes once it gave a correct code; a binding is for one purpose
--       `networks` whose wrong codes count with the client's, see WrongCodeLimits.swift
--       `expires`: when a new session ends (ms)  `origin` of a new session, see SessionOrigin.swift
--       `flags`: four digits, each 0 or 1: the request carries an ID token of an account that holds the number; a limit
--       in another slot refuses the message; the toll fraud check refuses a new client; it refuses a known client
--       `message`: what the outbox contains about it, see MessageContent.swift
--       `decision`: what its record contains about the request, see DecidedRequest.swift
-- The settings that all sends share are prepended as constants: see SendRules.swift.
-- RETURNS  "opened" | "opened-known": the client is known  | {"resent", id, sealed number, whether it is known (0 | 1)}
--          | {"reentered", id, sealed number}
--          | {"limited", limit (from 1), sends in its window, retry after (ms), how many of its maximum are reserved}
--          | {"barred"}
--          | {"stepped-up", whether the client is known (0 | 1)}
-- Atomic: either lock, session, counters and outbox entry all exist afterwards, or nothing changed.
-- A lock lives as long as its session, which saves a key. It holds while its TTL is longer than the session's
-- `unlocked-life`, so that only Redis's clock decides: workers' clocks differ. A session deletes its lock when it ends,
-- so a session found here is open unless its time is up.
-- The other limits, the number's ranges and the day's spending are in other slots. Calls of reserve.lua,
-- lease-events.lua, reserve-region.lua and reserve-series.lua have counted the message there before this one, and the
-- worker takes back what this outcome does not need. A worker that dies in between leaves counts that are too high,
-- never too low.
-- Code that a new number does not need is in branches, and functions are inlined, because Lua creates each function in
-- every call.

local isSent = codeSource == 'derived'
local id, earlier = redis.call('GET', lockKey), nil

if id then
  local key = string.sub(sessionKey, 1, -#newID - 1) .. id
  local session = redis.call('HMGET', key, 'state', 'code-source', 'expires', 'phone', 'messages', 'counted', 'origin',
    'unlocked-life')
  if session[1] == 'open' and session[2] == codeSource and tonumber(session[3]) > tonumber(now) then
    -- This call was executed before, perhaps longer ago than its lock holds, or before another call. The worker must
    -- not take back what the first execution has used.
    if id == newID then return session[6] == '0' and 'opened-known' or 'opened' end
    if isSent and redis.call('ZSCORE', windowKey, newID) then return {'resent', id, session[4], 0} end
    local unlocked = session[8] or string.match(session[7], '^%d+')
    if redis.call('PTTL', lockKey) > tonumber(unlocked) then
      -- The first write needs no memory: see full-memory.lua.
      redis.call('HDEL', key, '')
      redis.call('XADD', decisionsKey, 'MAXLEN', '~', maximumDecisions, '*', 'decision',
        'reentered\n\n0\n\n' .. decision)
      redis.call('PEXPIRE', decisionsKey, decisionLife)
      return {'reentered', id, session[4]}
    end
    earlier = {key = key, expires = session[3], phone = session[4], messages = session[5], counted = session[6]}
  end
end

-- `stale` is the time (ms) up to which no window counts messages any longer, if there are such messages.
local isKnown, counts, stale = false, firstCounts, nil
if isSent then
  local since = redis.call('ZSCORE', knownClientsKey, client)
  isKnown = since and tonumber(now) < since + knownClientLife
  -- The counts with a number's first message need no reads: they are `firstCounts`.
  local sent = windowLife and redis.call('ZCARD', windowKey) or 0
  if sent > 0 then
    -- A part of a number's messages is reserved for its owner's known clients: otherwise an attacker who requests all
    -- of them locks the owner out. Without known clients nothing is reserved; whether there are any is read only if it
    -- matters.
    local isOwners = isKnown or string.sub(flags, 1, 1) == '1'
    local refused, longest, start, events
    counts, longest = {}, 0
    for window, maximum, reserved in string.gmatch(windows, '(%d+) (%d+) (%d+)') do
      start = string.format('(%d', now - window)
      events = redis.call('ZCOUNT', windowKey, start, '+inf')
      local free = isOwners and tonumber(maximum) or maximum - reserved
      if events >= free and free < tonumber(maximum) and redis.call('EXISTS', knownClientsKey) == 0 then
        free = tonumber(maximum)
      end
      counts[#counts + 1] = events + 1
      if events >= free then
        -- There is room once the message that is `free` messages back has left the window.
        local rank = string.format('%d', -free)
        local wait = redis.call('ZRANGE', windowKey, rank, rank, 'WITHSCORES')[2] + window - now
        if wait > longest then
          refused, longest = {'limited', #counts, events, wait, maximum - free}, wait
        end
      end
    end
    -- For a call that was executed before, see below.
    if refused then return redis.call('ZSCORE', windowKey, newID) and 'opened' or refused end
    counts = table.concat(counts, ' ')
    -- The longest window is the last.
    if events < sent then stale = string.sub(start, 2) end
  end
  if flags ~= '0000' then
    if string.sub(flags, 2, 2) == '1' then return {'barred'} end
    local place = isKnown and 4 or 3
    if string.sub(flags, place, place) == '1' then return {'stepped-up', isKnown and 1 or 0} end
  end
end
-- The first write needs no memory: see full-memory.lua.
local hasDecisions = redis.call('PEXPIRE', decisionsKey, decisionLife) == 1
-- A call that was executed before is here if its session has ended since: the session must not begin again, with its
-- former code and new attempts.
if isSent and windowLife then
  if stale then redis.call('ZREMRANGEBYSCORE', windowKey, '-inf', stale) end
  if redis.call('ZADD', windowKey, 'NX', now, newID) == 0 then return 'opened' end
  redis.call('PEXPIRE', windowKey, windowLife)
elseif redis.call('EXISTS', sessionKey) == 1 then
  return 'opened'
end
local isCounted = isSent and not isKnown and '1' or '0'

local outcome, reply, phone = 'opened', isKnown and 'opened-known' or 'opened', newPhone
if earlier and earlier.expires - now >= leastLifeToResend then
  outcome, reply = 'resent', {'resent', id, earlier.phone, isKnown and 1 or 0}
  phone, expires = earlier.phone, earlier.expires
  local life = expires - now
  redis.call('SET', lockKey, id, 'PX', string.format('%d', life))
  redis.call('HSET', earlier.key, 'messages', (earlier.messages or 1) + (isSent and 1 or 0),
    'counted', (earlier.counted or 1) + isCounted, 'unlocked-life', string.format('%d', math.max(0, life - lockLife)))
else
  id = newID
  -- A missing count of messages means 1.
  redis.call('HSET', sessionKey, 'state', 'open', 'phone', phone, 'binding', binding, 'attempts', attempts,
    'code-source', codeSource, 'expires', expires, 'origin', origin)
  if isCounted == '0' then
    redis.call('HSET', sessionKey, 'messages', isSent and '1' or '0', 'counted', '0')
  end
  if client ~= binding then redis.call('HSET', sessionKey, 'client', client) end
  if networks ~= '' then redis.call('HSET', sessionKey, 'networks', networks) end
  redis.call('PEXPIRE', sessionKey, sessionLife)
  redis.call('SET', lockKey, id, 'PX', sessionLife)
end

local entry = ''
if isSent then
  entry = redis.call('XADD', outboxKey, '*', 'phone', phone, 'content',
    id .. '\n' .. expires .. '\n' .. isCounted .. '\n' .. message)
  -- A message is useless once its session has ended. Trimming bounds the stream even if nothing reads it. One send in a
  -- hundred trims it. Entry ids are times of Redis's clock.
  if string.sub(now, -2) == '00' then
    redis.call('XTRIM', outboxKey, 'MINID', '~', string.format('%d', string.match(entry, '^%d+') - sessionLife))
  end
end
redis.call('XADD', decisionsKey, 'MAXLEN', '~', maximumDecisions, '*', 'decision',
  outcome .. '\n' .. entry .. '\n' .. (isKnown and '1' or '0') .. '\n' .. counts .. '\n' .. decision)
if not hasDecisions then redis.call('PEXPIRE', decisionsKey, decisionLife) end
return reply
