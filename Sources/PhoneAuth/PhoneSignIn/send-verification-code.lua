-- Opens a verification session, or returns the one that this number and client already have.
-- USES verification-session
-- REPEATABLE: the log of the number's messages and the sessions store the ids of their calls
-- KEYS  `lockKey` session of number and client, see below  `sessionKey` new session  `outboxKey`  `decisionsKey`
--       `knownClientsKey` clients that gave a correct code
--       `logKey` log of the number's messages, see rate-limits.lua: an event's id is the session's and the reference
--       `regionKey`, `seriesKey` and `blockKey` ranges of the number, see number-ranges.lua
--       `spendingKey` today's spending, by region
--       `limitKeys`… rates of the client's networks, of its app credential and of the project, see rate-limits.lua
-- ARGV  `now` (ms)  `newID` of a new session  `newPhone`: sealed number
--       `codeSource`: "derived", or "test-number": no message and no limit
--       `client`: known for all purposes once it gave a correct code; a session is for one purpose
--       `expires`: when a new session ends (ms)  `details` of a new session, from its code source to its purpose
--       `flags`: four digits, each 0 or 1: the request carries an ID token of an account that holds the number; toll
--       fraud is refused, not only recorded; the client has solved the hard challenge; new clients must solve it
--       `region` of the number  `price` of the message (millionths)
--       `cap`: how much may be spent on the region today (millionths), or ""
--       `message`: what the outbox contains about it, see MessageContent.swift
--       `route`: which gateways go first, see MessageRoute.swift, or ""
--       `resend`: price, route and what the outbox contains, in lines, if the message is sent again; "" if the same
--       `decision`: what its record contains about the request, see DecidedRequest.swift
-- The settings that many sends share are prepended as constants: see SendVerificationCode.swift.
-- RETURNS  "opened"  | {"resent", id, sealed number}  | {"reentered", id, sealed number}
--          | {"limited", limit (from 1, those of the number first), events that count, retry after (ms), how many of
--            its maximum are for known clients}
--          | {"stepped-up", words of StepUp.swift}
-- Atomic: either lock, session, all counts and outbox entry exist afterwards, or nothing changed.
-- A lock lives as long as its session, which saves a key. It holds while its TTL is longer than the session's unlocked
-- life, so that only Redis's clock decides: workers' clocks differ. A session deletes its lock when it ends, so a
-- session found here is open unless its time is up.
-- Functions of other files are inlined, because Lua creates each function in every call. Tables have their size from
-- the start, and numbers become texts once at most: both cost as much as a command.

local isSent = codeSource == 'derived'
local time = now
now = tonumber(now)
-- A single call costs less than one for each key.
local stored = redis.call('MGET', lockKey, knownClientsKey, logKey, regionKey, seriesKey, blockKey, unpack(limitKeys))
local id, known, log, earlier = stored[1], stored[2] or '', stored[3] or '', nil
-- Whether this call was executed before, perhaps longer ago than its lock holds, or before another call.
local isRepeated = string.find(log, newID, 1, true)

if id then
  local key = string.sub(sessionKey, 1, -#newID - 1) .. id
  local messages, counted, source, ends, unlocked, rest, phone =
    string.match(redis.call('GET', key) or '', RESENT_SESSION)
  if source == codeSource and tonumber(ends) > now then
    if id == newID then return 'opened' end
    if isRepeated then return {'resent', id, phone} end
    if redis.call('PTTL', lockKey) > tonumber(unlocked) then
      -- The first write needs no memory: see full-memory.lua.
      redis.call('PEXPIRE', decisionsKey, decisionLife)
      redis.call('XADD', decisionsKey, 'MAXLEN', '~', maximumDecisions, '*', 'decision',
        'reentered\n\n\n\n' .. decision)
      redis.call('PEXPIRE', decisionsKey, decisionLife)
      return {'reentered', id, phone}
    end
    if ends - now >= leastLifeToResend then
      earlier = {key = key, messages = messages, counted = counted, expires = ends, rest = rest, phone = phone}
      if resend ~= '' then price, route, message = string.match(resend, '^(%d+)\n([^\n]*)\n(.*)$') end
    end
  end
end

local isKnown, counts, breaker = false, '', ''
-- The new values of `limitKeys` and of the number's ranges.
local arrivals, ranges = {'', '', '', '', ''}, {'', '', ''}
if isSent then
  local _, last = string.find(known, client .. ' ', 1, true)
  isKnown = last and now < string.match(known, '^%d+', last + 1) + knownClientLife
  -- A part of what many share is reserved for known clients: otherwise an attacker who requests all of it locks owners
  -- out. Of a number without known clients nothing is reserved.
  local isOwners = isKnown or string.sub(flags, 1, 1) == '1'
  local refused, longest = nil, 0

  local times = {}
  if log ~= '' then
    for sent in string.gmatch(log, ' (%d+)\n') do times[#times + 1] = tonumber(sent) end
  end
  for i = 1, #windows, 3 do
    local window, maximum, events = windows[i], windows[i + 1], 0
    while events < #times and times[#times - events] > now - window do events = events + 1 end
    local free = (isOwners or known == '') and maximum or windows[i + 2]
    if events >= free then
      -- There is room once the message that is `free` messages back has left the window.
      local wait = times[#times + 1 - free] + window - now
      if wait > longest then
        refused, longest = {'limited', (i + 2) / 3, events, wait, maximum - free}, wait
      end
    end
    counts = counts .. (events == 0 and '1 ' or string.format('%d ', events + 1))
  end

  -- The generic cell rate algorithm, as in rate-limits.lua.
  local start = 1000 * now
  for i = 1, #limitKeys do
    local interval, tolerance = rates[6 * i - 5], rates[6 * i - 4]
    local maximum, free = rates[6 * i - 2], rates[6 * i - 1]
    if isOwners then free = maximum end
    local ahead = math.max(0, (tonumber(stored[i + 6]) or 0) - start)
    if ahead > rates[6 * i - 3] then ahead = 0 end
    if ahead - tolerance > (free - 1) * interval then
      local wait = math.ceil((ahead - (free - 1) * interval) / 1000)
      if wait > longest then
        local events = math.ceil((ahead - tolerance) / interval)
        refused, longest = {'limited', #windows / 3 + i, events, wait, maximum - free}, wait
      end
    end
    arrivals[i] = string.format('%d', start + ahead + interval)
    counts = counts .. arrivals[i] .. ' '
  end
  if refused then return isRepeated and 'opened' or refused end

  -- Toll fraud: the cap of what is spent on the region stops every message, the debt of the number's ranges those to
  -- new clients.
  local level, cause = 'normal', nil
  local nearest, debt, kind, allowance = -1, 0, nil, nil
  if not isKnown then
    for i = 1, 3 do
      local sent, verified, counted = 0, 0, now
      local range = stored[i + 3]
      if range then
        sent, verified, counted = struct.unpack('<ddd', range)
        -- Another worker's clock may be ahead.
        local left = 2 ^ (math.min(0, counted - now) / halfLife)
        sent, verified, counted = sent * left, verified * left, math.max(now, counted)
      end
      ranges[i] = struct.pack('<ddd', sent + 1, verified, counted)
      local owed = math.max(0, sent - verified * (1 + credit / 100))
      local allowed = i == 1 and allowanceOfRegion or i == 2 and allowanceOfSeries or allowanceOfBlock
      -- Of equal ranges, the widest decides.
      if (owed + 1) / allowed > nearest then
        nearest, debt, allowance = (owed + 1) / allowed, owed, allowed
        kind = i == 1 and 'region' or i == 2 and 'series' or 'block'
      end
    end
  end
  local spent = cap ~= '' and tonumber(redis.call('HGET', spendingKey, region) or 0) or 0
  if cap ~= '' and spent + price > tonumber(cap) then
    level, cause = 'denied', string.format('spending %d %s %d', spent, cap, 86400000 - now % 86400000)
  elseif not isKnown then
    local retry = 0
    if nearest > deniedShare then
      level = 'denied'
      -- Until the debt has decayed so far that one more message is allowed to clients that solve the hard challenge.
      retry = math.max(0, math.ceil(math.log(debt / (deniedShare * allowance - 1)) / math.log(2) * halfLife))
    elseif nearest > 1 then
      level = 'challenged'
    end
    cause = string.format('%s %d %d %d', kind, math.ceil(debt), allowance, retry)
    if level == 'normal' and string.sub(flags, 4) == '1' then
      level, cause = 'challenged', 'unknown-number 0 0 0'
    elseif level == 'normal' and cap ~= '' and spent * 100 >= cap * nearCapPercent then
      level, cause = 'challenged', string.format('spending %d %s 0', spent, cap)
    end
  end
  breaker = cause and level .. ' ' .. cause or 'known'
  if string.sub(flags, 2, 2) == '1' and (level == 'denied'
      or level == 'challenged' and string.sub(flags, 3, 3) == '0') then
    return isRepeated and 'opened' or {'stepped-up', breaker}
  end

  -- If the call's session has ended since, it must not begin again, with its former code and new attempts.
  if isRepeated then return 'opened' end
  if times[1] and times[1] <= now - windowLife then
    local kept = {}
    for line, sent in string.gmatch(log, '([^\n]* (%d+)\n)') do
      if tonumber(sent) > now - windowLife then kept[#kept + 1] = line end
    end
    log = table.concat(kept)
  end
  -- Times never decrease, although workers' clocks differ.
  local last = times[#times]
  log = log .. newID .. ' ' .. string.sub(decision, 1, 12) .. ' '
    .. (last and last > now and string.format('%d', last) or time) .. '\n'
elseif redis.call('EXISTS', sessionKey) == 1 then
  return 'opened'
end

-- The first write needs no memory: see full-memory.lua.
local hasDecisions = redis.call('PEXPIRE', decisionsKey, decisionLife) == 1
local isCounted = isSent and not isKnown and '1' or '0'
if isSent then
  redis.call('PSETEX', logKey, windowLife, log)
  for i = 1, #limitKeys do redis.call('PSETEX', limitKeys[i], rates[6 * i], arrivals[i]) end
  if not isKnown then
    redis.call('PSETEX', regionKey, rangeLife, ranges[1])
    redis.call('PSETEX', seriesKey, rangeLife, ranges[2])
    redis.call('PSETEX', blockKey, rangeLife, ranges[3])
  end
  -- Only the first message to a region sets the TTL.
  if price ~= '0' and redis.call('HINCRBY', spendingKey, region, price) == tonumber(price) then
    redis.call('PEXPIRE', spendingKey, '172800000')
  end
end

local outcome, reply, phone = 'opened', 'opened', newPhone
if earlier then
  outcome, reply = 'resent', {'resent', id, earlier.phone}
  phone, expires = earlier.phone, earlier.expires
  local life = expires - now
  redis.call('PSETEX', lockKey, string.format('%d', life), id)
  redis.call('SET', earlier.key, string.format('open\n%d\n%d\n%s\n%s\n%d\n', earlier.messages + (isSent and 1 or 0),
    earlier.counted + isCounted, codeSource, expires, math.max(0, life - lockLife)) .. earlier.rest .. phone, 'KEEPTTL')
else
  id = newID
  redis.call('PSETEX', sessionKey, sessionLife,
    'open\n' .. (isSent and '1\n' or '0\n') .. isCounted .. '\n' .. details .. newPhone)
  redis.call('PSETEX', lockKey, sessionLife, id)
end

local entry = ''
if isSent then
  local content = id .. '\n' .. expires .. '\n' .. isCounted .. '\n' .. message
  if route == '' then
    entry = redis.call('XADD', outboxKey, '*', 'phone', phone, 'content', content)
  else
    entry = redis.call('XADD', outboxKey, '*', 'phone', phone, 'content', content, 'route', route)
  end
  -- A message is useless once its session has ended. Trimming bounds the stream even if nothing reads it. One send in a
  -- hundred trims it. Entry ids are times of Redis's clock.
  if now % 100 == 0 then
    redis.call('XTRIM', outboxKey, 'MINID', '~', string.format('%d', string.match(entry, '^%d+') - sessionLife))
  end
end
redis.call('XADD', decisionsKey, 'MAXLEN', '~', maximumDecisions, '*', 'decision',
  outcome .. '\n' .. entry .. '\n' .. counts .. '\n' .. breaker .. '\n' .. decision)
if not hasDecisions then redis.call('PEXPIRE', decisionsKey, decisionLife) end
return reply
