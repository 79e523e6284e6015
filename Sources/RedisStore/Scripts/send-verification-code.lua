-- Opens a verification session, or returns the one that this number and client already have.
-- REPEATABLE: the log of the number's messages and the sessions store the ids of their calls
-- KEYS  `lockKey` session of number and client, see below  `sessionKey` new session  `outboxKey`  `decisionsKey`
--       `knownClientsKey` clients that gave a correct code  `windowKey` log of the number's messages
--       `regionKey` and `seriesKey` ranges of the number, see number-ranges.lua
--       `spendingKey` today's spending, by region
--       `limitKeys`… rates of the client's networks, of its app credential and of the project, see rate-limits.lua
-- ARGV  `now` (ms)  `newID` of a new session  `newPhone`: sealed number
--       `codeSource`: "derived", or "test-number": no message and no limit
--       `binding`  `client`: known for all purposes once it gave a correct code; a binding is for one purpose
--       `networks` whose wrong codes count with the client's, see WrongCodeLimits.swift
--       `expires`: when a new session ends (ms)  `origin` of a new session, see SessionOrigin.swift
--       `flags`: four digits, each 0 or 1: the request carries an ID token of an account that holds the number; toll
--       fraud is refused, not only recorded; the client has solved the hard challenge; new clients must solve it
--       `region`  `block` of the number  `price` of the message (millionths)
--       `cap`: how much may be spent on the region today (millionths), or ""
--       `message`: what the outbox contains about it, see MessageContent.swift
--       `decision`: what its record contains about the request, see DecidedRequest.swift
--       `bounds`… window (ms), maximum, and how much of it is for known clients, for each of `limitKeys`
-- The settings that all sends share are prepended as constants: see SendRules.swift.
-- RETURNS  "opened"  | {"resent", id, sealed number}  | {"reentered", id, sealed number}
--          | {"limited", limit (from 1, those of the number first), events that count, retry after (ms), how many of
--            its maximum are for known clients}
--          | {"stepped-up", words of StepUp.swift}
-- Atomic: either lock, session, all counts and outbox entry exist afterwards, or nothing changed.
-- A lock lives as long as its session, which saves a key. It holds while its TTL is longer than the session's
-- `unlocked-life`, so that only Redis's clock decides: workers' clocks differ. A session deletes its lock when it ends,
-- so a session found here is open unless its time is up.
-- Functions of other files are inlined, because Lua creates each function in every call.

local isSent = codeSource == 'derived'
local at = now
now = tonumber(now)
-- The lock, the region and the limits: a single call costs less than one for each.
local stored = redis.call('MGET', lockKey, regionKey, unpack(limitKeys))
local id, earlier = stored[1], nil

if id then
  local key = string.sub(sessionKey, 1, -#newID - 1) .. id
  local session = redis.call('HMGET', key, 'state', 'code-source', 'expires', 'phone', 'messages', 'counted', 'origin',
    'unlocked-life')
  if session[1] == 'open' and session[2] == codeSource and tonumber(session[3]) > now then
    -- This call was executed before, perhaps longer ago than its lock holds, or before another call.
    if id == newID then return 'opened' end
    if isSent and redis.call('ZSCORE', windowKey, newID) then return {'resent', id, session[4]} end
    local unlocked = session[8] or string.match(session[7], '^%d+')
    if redis.call('PTTL', lockKey) > tonumber(unlocked) then
      -- The first write needs no memory: see full-memory.lua.
      redis.call('HDEL', key, '')
      redis.call('XADD', decisionsKey, 'MAXLEN', '~', maximumDecisions, '*', 'decision',
        'reentered\n\n\n\n' .. decision)
      redis.call('PEXPIRE', decisionsKey, decisionLife)
      return {'reentered', id, session[4]}
    end
    earlier = {key = key, expires = session[3], phone = session[4], messages = session[5], counted = session[6]}
  end
end

-- `stale` is the time (ms) up to which no window counts messages any longer, if there are such messages.
local isKnown, counts, breaker, stale = false, {}, '', nil
-- For each of `limitKeys`: its value with this message.
local arrivals = {}
if isSent then
  local since = redis.call('ZSCORE', knownClientsKey, client)
  isKnown = since and now < since + knownClientLife
  -- A part of what many share is reserved for known clients: otherwise an attacker who requests all of it locks owners
  -- out. Of a number without known clients nothing is reserved; whether there are any is read only if it matters.
  local isOwners = isKnown or string.sub(flags, 1, 1) == '1'
  local refused, longest = nil, 0

  local sent, events = redis.call('ZCARD', windowKey), 0
  for window, maximum, reserved in string.gmatch(windows, '(%d+) (%d+) (%d+)') do
    if sent > 0 then
      local start = string.format('(%d', now - window)
      events = redis.call('ZCOUNT', windowKey, start, '+inf')
      local free = isOwners and tonumber(maximum) or maximum - reserved
      if events >= free and free < tonumber(maximum) and redis.call('EXISTS', knownClientsKey) == 0 then
        free = tonumber(maximum)
      end
      if events >= free then
        -- There is room once the message that is `free` messages back has left the window.
        local rank = string.format('%d', -free)
        local wait = redis.call('ZRANGE', windowKey, rank, rank, 'WITHSCORES')[2] + window - now
        if wait > longest then
          refused, longest = {'limited', #counts + 1, events, wait, maximum - free}, wait
        end
      end
      -- The longest window is the last.
      stale = events < sent and string.sub(start, 2)
    end
    counts[#counts + 1] = events + 1
  end

  -- The generic cell rate algorithm, as in rate-limits.lua.
  for i = 1, #limitKeys do
    local window, maximum, reserved = bounds[3 * i - 2], tonumber(bounds[3 * i - 1]), tonumber(bounds[3 * i])
    local interval, free = window / maximum, isOwners and maximum or maximum - reserved
    local arrival = math.max(now, tonumber(stored[i + 2] or 0))
    local used = (arrival - now) / interval - 0.01
    if used > free - 1 then
      local wait = math.ceil(arrival + (1 - free) * interval - now)
      if wait > longest then
        refused, longest = {'limited', #counts + 1, math.ceil(used), wait, maximum - free}, wait
      end
    end
    arrivals[i] = arrival + interval
    counts[#counts + 1] = math.max(0, math.ceil(used)) + 1
  end
  -- For a call that was executed before, see below.
  if refused then return redis.call('ZSCORE', windowKey, newID) and 'opened' or refused end

  -- Toll fraud: the cap of what is spent on the region stops every message, the debt of the number's ranges those to
  -- new clients.
  local level, cause = 'normal', nil
  local spent = cap ~= '' and tonumber(redis.call('HGET', spendingKey, region) or 0) or 0
  if cap ~= '' and spent + price > tonumber(cap) then
    level, cause = 'denied', string.format('spending %.0f %s %d', spent, cap, 86400000 - now % 86400000)
  elseif not isKnown then
    local ofSeries = redis.call('HMGET', seriesKey, 'all', block)
    local nearest, debt, kind, allowance = -1, 0, nil, nil
    for i = 1, 3 do
      local owed, range = 0, i == 1 and stored[2] or i > 1 and ofSeries[i - 1]
      if range then
        local sentBefore, verified, counted = string.match(range, '(%d+) (%d+) (%d+)')
        -- Another worker's clock may be ahead.
        local left = 2 ^ (math.min(0, counted - now) / halfLife)
        owed = math.max(0, (sentBefore - verified * (1 + credit / 100)) * left / 10000)
      end
      local allowed = i == 1 and allowanceOfRegion or i == 2 and allowanceOfSeries or allowanceOfBlock
      -- Of equal ranges, the widest decides.
      if (owed + 1) / allowed > nearest then
        nearest, debt, allowance = (owed + 1) / allowed, owed, allowed
        kind = i == 1 and 'region' or i == 2 and 'series' or 'block'
      end
    end
    local retry = 0
    if nearest > deniedShare then
      level = 'denied'
      -- Until the debt has decayed so far that one more message is allowed to clients that solve the hard challenge.
      retry = math.ceil(math.log(debt / (deniedShare * allowance - 1)) / math.log(2) * halfLife)
    elseif nearest > 1 then
      level = 'challenged'
    end
    cause = string.format('%s %d %d %.0f', kind, math.ceil(debt), allowance, math.max(0, retry))
    if level == 'normal' and string.sub(flags, 4) == '1' then
      level, cause = 'challenged', 'unknown-number 0 0 0'
    elseif level == 'normal' and cap ~= '' and spent * 100 >= cap * nearCapPercent then
      level, cause = 'challenged', string.format('spending %.0f %s 0', spent, cap)
    end
  end
  breaker = cause and level .. ' ' .. cause or 'known'
  if string.sub(flags, 2, 2) == '1' and (level == 'denied'
      or level == 'challenged' and string.sub(flags, 3, 3) == '0') then
    return redis.call('ZSCORE', windowKey, newID) and 'opened' or {'stepped-up', breaker}
  end
end

-- The first write needs no memory: see full-memory.lua.
local hasDecisions = redis.call('PEXPIRE', decisionsKey, decisionLife) == 1
-- A call that was executed before is here if its session has ended since: the session must not begin again, with its
-- former code and new attempts.
if isSent then
  if stale then redis.call('ZREMRANGEBYSCORE', windowKey, '-inf', stale) end
  if redis.call('ZADD', windowKey, 'NX', at, newID) == 0 then return 'opened' end
  redis.call('PEXPIRE', windowKey, windowLife)
  for i, arrival in ipairs(arrivals) do
    redis.call('SET', limitKeys[i], string.format('%.4f', arrival), 'PX', string.format('%d', arrival - now + 1))
  end
  if not isKnown then
    -- USES number-ranges
    countInRanges(regionKey, seriesKey, block, now, halfLife, 1, 0)
  end
  if price ~= '0' then
    redis.call('HINCRBY', spendingKey, region, price)
    redis.call('PEXPIRE', spendingKey, '172800000')
  end
elseif redis.call('EXISTS', sessionKey) == 1 then
  return 'opened'
end
local isCounted = isSent and not isKnown and '1' or '0'

local outcome, reply, phone = 'opened', 'opened', newPhone
if earlier and earlier.expires - now >= leastLifeToResend then
  outcome, reply = 'resent', {'resent', id, earlier.phone}
  phone, expires = earlier.phone, earlier.expires
  local life = expires - now
  redis.call('SET', lockKey, id, 'PX', string.format('%d', life))
  redis.call('HSET', earlier.key, 'messages', earlier.messages + (isSent and 1 or 0),
    'counted', earlier.counted + isCounted, 'unlocked-life', string.format('%d', math.max(0, life - lockLife)))
else
  id = newID
  redis.call('HSET', sessionKey, 'state', 'open', 'phone', phone, 'binding', binding, 'attempts', attempts,
    'code-source', codeSource, 'expires', expires, 'origin', origin, 'messages', isSent and '1' or '0',
    'counted', isCounted)
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
  if now % 100 == 0 then
    redis.call('XTRIM', outboxKey, 'MINID', '~', string.format('%d', string.match(entry, '^%d+') - sessionLife))
  end
end
redis.call('XADD', decisionsKey, 'MAXLEN', '~', maximumDecisions, '*', 'decision',
  outcome .. '\n' .. entry .. '\n' .. table.concat(counts, ' ') .. '\n' .. breaker .. '\n' .. decision)
if not hasDecisions then redis.call('PEXPIRE', decisionsKey, decisionLife) end
return reply
