-- Opens a verification session, or returns the one that this number and client already have.
-- KEYS  1 lock   2 open session of number and client   3 new session   4 outbox   5 decisions
--       6 known clients: those that gave a correct code   7 range of the region, 8 of the series, 9 of the block
--       10 today's spending   11… windows of the rate limits
-- ARGV  1 now (ms)  2 new session id  3 sealed number  4 project  5 purpose  6 locale  7 binding
--       8 code source: "derived", or "test-number": no message and no limit
--       9 ending of the message for WebOTP or SMS Retriever autofill  10 reference of the decision  11 masked number
--       12 region  13 what proved the app  14 "hard" if a hard challenge was solved  15 price (millionths)
--       16 the region's spending cap per day (millionths), or ""  17 the client if it is not the binding, else ""
--       18 "1" if the request carries an ID token of an account that holds the number, else ""
-- The text is preceded by `rules`, the settings that all sends share: see SendRules.swift.
-- RETURNS  {"opened"} | {"resent", id, sealed number} | {"reentered", id, sealed number}
--          | {"limited", limit (from 1), sends in its window, retry after (ms), how many of its maximum are reserved}
--          | {"stepped-up", level, cause, value, bound, retry after (ms)}
-- Atomic: either lock, session, counters and outbox entry all exist afterwards, or nothing changed.
-- A session deletes its lock and its open key when it ends, so an id found here is open unless its time is up.
-- The number's key and its session have one hash tag. The keys of network, app credential, project, deployment and
-- ranges have other hash tags and are used only in `check`, `judge` and `count`: on a Redis Cluster these functions
-- would be a separate, earlier call.

local now, newID, newPhone, project, purpose, locale = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local binding, codeSource, ending, region = ARGV[7], ARGV[8], ARGV[9], ARGV[12]
local price, cap = tonumber(ARGV[15]), tonumber(ARGV[16])
-- A client that gave a correct code is known for all purposes; a binding is for one purpose.
local client = ARGV[17] == '' and binding or ARGV[17]
local DAY = 86400000
-- The wire operations that request sessions, by purpose.
local OPERATIONS = {['sign-in'] = 'sendVerificationCode', ['second-factor-enrollment'] = 'mfaEnrollment.start',
  ['second-factor-sign-in'] = 'mfaSignIn.start'}
local isSent = codeSource == 'derived'
local sessionPrefix = string.sub(KEYS[3], 1, -(#newID + 1))

-- Returns the sealed number and the remaining life (ms) of a session that is open and has our code source.
local function living(id)
  if not id then return nil, 0 end
  local session = redis.call('HMGET', sessionPrefix .. id, 'state', 'expires', 'phone', 'code-source')
  if session[1] ~= 'open' or session[4] ~= codeSource then return nil, 0 end
  return session[3], tonumber(session[2]) - now
end

-- Sets whether the client is known (it signed in with the number before) and whether it is the owner's (it is known, or
-- the request carries an ID token of the number's account).
local isKnown, isOwners
local function recognize()
  local since = redis.call('ZSCORE', KEYS[6], client)
  isKnown = since and now < tonumber(since) + rules.knownClientLife
  isOwners = isKnown or ARGV[18] == '1'
end

-- Returns the rate limits and, if any forbids a message, the refusal with the longest wait. Reads only.
-- A part of a number's messages is reserved for its owner's known clients: otherwise an attacker who requests all of
-- them locks the owner out. Without known clients nothing is reserved, which is read only if it decides.
local function check()
  local limits, refused, longest = rules.limits(), nil, 0
  local isReserved
  for i, limit in ipairs(limits) do
    local reserved, maximum = not isOwners and limit.reserved or 0, limit.maximum
    limit.maximum = maximum - reserved
    local milliseconds = waitForRoom(limit, now)
    if milliseconds > 0 and reserved > 0 then
      if isReserved == nil then isReserved = redis.call('EXISTS', KEYS[6]) == 1 end
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
local function judge()
  local ranges, verdict, nearest = {}, nil, 0
  if not isKnown then
    local halfLife = rules.rangeHalfLife
    ranges = readRanges({KEYS[7], KEYS[8], KEYS[9]}, now, halfLife)
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
    local spent = tonumber(redis.call('HGET', KEYS[10], region) or 0)
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
  if price > 0 then
    redis.call('HINCRBY', KEYS[10], region, ARGV[15])
    redis.call('PEXPIRE', KEYS[10], text(2 * DAY))
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
  redis.call('XADD', KEYS[5], 'MAXLEN', '~', rules.decisions, '*', 'reference', ARGV[10], 'at', ARGV[1],
    'operation', OPERATIONS[purpose], 'project', project, 'number', ARGV[11], 'region', region, 'proof', ARGV[13], 'outcome', outcome,
    'limits', counted, 'breaker', breaker,
    'message', entry and string.match(KEYS[3], '^dt:{p(%d+)}') .. '-' .. entry or '')
  redis.call('PEXPIRE', KEYS[5], rules.decisionLife)
end

local locked, id = unpack(redis.call('MGET', KEYS[1], KEYS[2]))
local phone, life = living(locked)
if phone and life > 0 then
  decide('reentered')
  return {'reentered', locked, phone}
end

if isSent then
  recognize()
  local refused
  limits, refused = check()
  if refused then return refused end
  ranges, verdict = judge()
  if verdict then
    for i = 3, 5 do verdict[i] = string.format('%d', math.ceil(verdict[i])) end
    local isStopped = verdict[1] == 'denied' or verdict[1] == 'challenged' and ARGV[14] ~= 'hard'
    if isStopped and rules.isEnforced then return {'stepped-up', unpack(verdict)} end
  end
  count(limits, ranges)
end
local isCounted = #ranges > 0 and '1' or '0'

local outcome
phone, life = living(id)
if phone and life >= rules.leastLifeToResend then
  outcome = {'resent', id, phone}
  redis.call('HINCRBY', sessionPrefix .. id, 'messages', isSent and '1' or '0')
  redis.call('HINCRBY', sessionPrefix .. id, 'counted', isCounted)
else
  id, phone, life, outcome = newID, newPhone, rules.sessionLife, {'opened'}
  redis.call('HSET', KEYS[3], 'state', 'open', 'phone', phone, 'project', project, 'purpose', purpose,
    'locale', locale, 'binding', binding, 'attempts', rules.attempts, 'code-source', codeSource,
    'created', ARGV[1], 'expires', text(now + life), 'messages', isSent and '1' or '0', 'counted', isCounted)
  if client ~= binding then redis.call('HSET', KEYS[3], 'client', client) end
  redis.call('PEXPIRE', KEYS[3], text(life))
  redis.call('SET', KEYS[2], id, 'PX', text(life))
end
redis.call('SET', KEYS[1], id, 'PX', text(math.min(rules.lockLife, life)))

local entry
if isSent then
  entry = redis.call('XADD', KEYS[4], '*', 'session', id, 'phone', phone, 'project', project,
    'purpose', purpose, 'locale', locale, 'ending', ending, 'queued', ARGV[1], 'expires', text(now + life),
    'price', ARGV[15], 'counted', isCounted)
  -- A message is useless once its session has ended. Trimming bounds the stream even if nothing reads it. Entry ids are
  -- times of Redis's own clock.
  redis.call('XTRIM', KEYS[4], 'MINID', '~', text(string.match(entry, '^%d+') - rules.sessionLife))
end
decide(outcome[1], entry)
return outcome
