-- Opens a verification session, or returns the one that this number and client already have.
-- USES sliding-windows, number-ranges
-- REPEATABLE: the lock has the session's id
-- KEYS  `lockKey`  `openKey` open session of number and client  `sessionKey` new session  `outboxKey`  `decisionsKey`
--       `knownClientsKey` clients that gave a correct code  `regionKey`, `seriesKey`, `blockKey`: the number's ranges
--       `spendingKey` of today  `windowKeys`… of the rate limits
-- ARGV  `now` (ms)  `newID` of a new session  `newPhone`: sealed number  `project`  `purpose`  `locale`  `binding`
--       `codeSource`: "derived", or "test-number": no message and no limit
--       `ending` of the message for WebOTP or SMS Retriever autofill  `reference` of the decision  `maskedNumber`
--       `region`  `proof` of the app  `isHardProof`: a hard challenge was solved (0 | 1)  `price` (millionths)
--       `cap` of the region's spending per day (millionths), or ""
--       `client`: known for all purposes once it gave a correct code; a binding is for one purpose
--       `isOfAccount` (0 | 1): the request carries an ID token of an account that holds the number
-- `rules` are the settings that all sends share: see SendRules.swift.
-- RETURNS  {"opened"} | {"resent", id, sealed number} | {"reentered", id, sealed number}
--          | {"limited", limit (from 1), sends in its window, retry after (ms), how many of its maximum are reserved}
--          | {"stepped-up", level, cause, value, bound, retry after (ms)}
-- Atomic: either lock, session, counters and outbox entry all exist afterwards, or nothing changed.
-- A session deletes its lock and its open key when it ends, so an id found here is open unless its time is up.
-- The number's key and its session have one hash tag. The keys of network, app credential, project, deployment and
-- ranges have other hash tags and are used only in `checkLimits`, `checkTollFraud` and `count`: on a Redis Cluster
-- these functions would be a separate, earlier call.

local nowText = now
now, cap = tonumber(now), tonumber(cap)
local DAY = 86400000
-- The wire operations that request sessions, by purpose.
local OPERATIONS = {['sign-in'] = 'sendVerificationCode', ['second-factor-enrollment'] = 'mfaEnrollment.start',
  ['second-factor-sign-in'] = 'mfaSignIn.start'}
local isSent = codeSource == 'derived'
local sessionPrefix = string.sub(sessionKey, 1, -(#newID + 1))

-- Returns the sealed number and the remaining life (ms) of a session that is open and has our code source.
local function openSession(id)
  if not id then return nil, 0 end
  local session = redis.call('HMGET', sessionPrefix .. id, 'state', 'expires', 'phone', 'code-source')
  if session[1] ~= 'open' or session[4] ~= codeSource then return nil, 0 end
  return session[3], tonumber(session[2]) - now
end

-- Sets whether the client is known (it signed in with the number before) and whether it is the owner's (it is known, or
-- the request carries an ID token of the number's account).
local isKnown, isOwners
local function recognize()
  local since = redis.call('ZSCORE', knownClientsKey, client)
  isKnown = since and now < tonumber(since) + rules.knownClientLife
  isOwners = isKnown or isOfAccount == '1'
end

-- Returns the rate limits and, if any forbids a message, the refusal with the longest wait. Reads only.
-- A part of a number's messages is reserved for its owner's known clients: otherwise an attacker who requests all of
-- them locks the owner out. Without known clients nothing is reserved, which is read only if it decides.
local function checkLimits()
  local limits, refused, longest = rules.limits(), nil, 0
  local isReserved
  for i, limit in ipairs(limits) do
    local reserved, maximum = not isOwners and limit.reserved or 0, limit.maximum
    limit.maximum = maximum - reserved
    local milliseconds = waitForRoom(limit, now)
    if milliseconds > 0 and reserved > 0 then
      if isReserved == nil then isReserved = redis.call('EXISTS', knownClientsKey) == 1 end
      if not isReserved then
        reserved, limit.maximum = 0, maximum
        milliseconds = waitForRoom(limit, now)
      end
    end
    if milliseconds > longest then
      refused, longest = {'limited', i, limit.sends, milliseconds, reserved}, milliseconds
    end
  end
  return limits, refused
end

-- Returns the ranges that count a new client's message, and the verdict of the toll fraud check: level, cause, value,
-- bound and retry after (ms). Reads only.
local function checkTollFraud()
  local ranges, verdict, nearest = {}, nil, 0
  if not isKnown then
    local halfLife = rules.rangeHalfLife
    ranges = readRanges({regionKey, seriesKey, blockKey}, now, halfLife)
    for i, kind in ipairs({'region', 'series', 'block'}) do
      local owed, allowance = debt(ranges[i], rules.credit / 100), rules.allowances[i]
      local share = (owed + 1) / allowance
      if share > nearest then
        nearest = share
        verdict = {share <= 1 and 'normal' or share <= 1.5 and 'challenged' or 'denied', kind, owed, allowance,
          share > 1.5 and halfLife * math.log(owed / (1.5 * allowance - 1)) / math.log(2) or 0}
      end
    end
  end
  if cap then
    local spent = tonumber(redis.call('HGET', spendingKey, region) or 0)
    if spent + price > cap then
      verdict = {'denied', 'spending', spent, cap, DAY - now % DAY}
    elseif not isKnown and verdict[1] == 'normal' and spent * 100 >= cap * rules.nearCapPercent then
      verdict = {'challenged', 'spending', spent, cap, 0}
    end
  end
  return ranges, verdict
end

-- Counts a send.
local function count(limits, ranges)
  countInWindows(limits, now, newID)
  countInRanges(ranges, 1, 0)
  if price ~= '0' then
    redis.call('HINCRBY', spendingKey, region, price)
    redis.call('PEXPIRE', spendingKey, text(2 * DAY))
  end
end

local limits, ranges, verdict = {}, {}, nil

-- Returns the counts with this message included, for `explain`.
local function chain()
  local words = {}
  for i, limit in ipairs(limits) do
    words[i] = limit.name .. ':' .. text(limit.sends + 1) .. limit.bounds
  end
  return table.concat(words, ';'), verdict and table.concat(verdict, ' ') or 'known'
end

-- Records the decision on this request for operators. The stream has another hash tag, as the limits do.
local function decide(outcome, entry)
  local counted, breaker = '', ''
  if entry then counted, breaker = chain() end
  redis.call('XADD', decisionsKey, 'MAXLEN', '~', rules.decisions, '*', 'reference', reference, 'at', nowText,
    'operation', OPERATIONS[purpose], 'project', project, 'number', maskedNumber, 'region', region, 'proof', proof,
    'outcome', outcome, 'limits', counted, 'breaker', breaker,
    'message', entry and string.match(sessionKey, '^dt:{p(%d+)}') .. '-' .. entry or '')
  redis.call('PEXPIRE', decisionsKey, rules.decisionLife)
end

local locked, id = unpack(redis.call('MGET', lockKey, openKey))
local phone, life = openSession(locked)
if phone and life > 0 then
  decide('reentered')
  return {'reentered', locked, phone}
end

if isSent then
  recognize()
  local refused
  limits, refused = checkLimits()
  if refused then return refused end
  ranges, verdict = checkTollFraud()
  if verdict then
    for i = 3, 5 do verdict[i] = string.format('%d', math.ceil(verdict[i])) end
    local isStopped = verdict[1] == 'denied' or verdict[1] == 'challenged' and isHardProof == '0'
    if isStopped and rules.isEnforced then return {'stepped-up', unpack(verdict)} end
  end
  count(limits, ranges)
end
local isCounted = #ranges > 0 and '1' or '0'

local outcome
phone, life = openSession(id)
if phone and life >= rules.leastLifeToResend then
  outcome = {'resent', id, phone}
  redis.call('HINCRBY', sessionPrefix .. id, 'messages', isSent and '1' or '0')
  redis.call('HINCRBY', sessionPrefix .. id, 'counted', isCounted)
else
  id, phone, life, outcome = newID, newPhone, rules.sessionLife, {'opened'}
  redis.call('HSET', sessionKey, 'state', 'open', 'phone', phone, 'project', project, 'purpose', purpose,
    'locale', locale, 'binding', binding, 'attempts', rules.attempts, 'code-source', codeSource,
    'created', nowText, 'expires', text(now + life), 'messages', isSent and '1' or '0', 'counted', isCounted)
  if client ~= binding then redis.call('HSET', sessionKey, 'client', client) end
  redis.call('PEXPIRE', sessionKey, text(life))
  redis.call('SET', openKey, id, 'PX', text(life))
end
redis.call('SET', lockKey, id, 'PX', text(math.min(rules.lockLife, life)))

local entry
if isSent then
  entry = redis.call('XADD', outboxKey, '*', 'session', id, 'phone', phone, 'project', project,
    'purpose', purpose, 'locale', locale, 'ending', ending, 'queued', nowText, 'expires', text(now + life),
    'price', price, 'counted', isCounted)
  -- A message is useless once its session has ended. Trimming bounds the stream even if nothing reads it. Entry ids are
  -- times of Redis's own clock.
  redis.call('XTRIM', outboxKey, 'MINID', '~', text(string.match(entry, '^%d+') - rules.sessionLife))
end
decide(outcome[1], entry)
return outcome
