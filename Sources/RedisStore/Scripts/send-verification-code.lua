-- Opens a verification session, or returns the one that this number and client already have.
-- USES full-memory, sliding-windows
-- REPEATABLE: the session has the ids of the calls that sent its messages
-- KEYS  `lockKey`  `openKey` open session of number and client  `sessionKey` new session  `outboxKey`  `decisionsKey`
--       `knownClientsKey` clients that gave a correct code  `windowKeys`… of the number's rate limits
-- ARGV  `now` (ms)  `newID` of a new session  `newPhone`: sealed number  `project`  `purpose`  `locale`  `binding`
--       `codeSource`: "derived", or "test-number": no message and no limit
--       `ending` of the message for WebOTP or SMS Retriever autofill  `price` (millionths) that is reserved
--       `request`: what its decision's record contains about the request, see DecidedRequest.swift
--       `client`: known for all purposes once it gave a correct code; a binding is for one purpose
--       `isOfAccount` (0 | 1): the request carries an ID token of an account that holds the number
--       `isBarred` (0 | 1): a limit in another slot refuses the message  `otherLimits`: their counts, for
--       explanations
--       `isStopped`, `isKnownStopped` (0 | 1): the toll fraud check refuses a new client, a known client
--       `breaker`, `knownBreaker`: what the check found for a new client, for a known client
-- `rules` are the settings that all sends share: see SendRules.swift.
-- RETURNS  {"opened", whether the client is known (0 | 1)} | {"resent", id, sealed number, whether it is known}
--          | {"reentered", id, sealed number}
--          | {"limited", limit (from 1), sends in its window, retry after (ms), how many of its maximum are reserved}
--          | {"barred"}
--          | {"stepped-up", whether the client is known (0 | 1)}
-- Atomic: either lock, session, counters and outbox entry all exist afterwards, or nothing changed.
-- A session deletes its lock and its open key when it ends, so an id found here is open unless its time is up.
-- The other limits, the number's ranges and the day's spending are in other slots. Calls of reserve.lua,
-- lease-events.lua, reserve-region.lua and reserve-series.lua have counted the message there before this one, and the
-- worker takes back what this outcome does not need. A worker that dies in between leaves counts that are too high,
-- never too low.

local nowText = now
now = tonumber(now)
local isSent = codeSource == 'derived'
local sessionPrefix = string.sub(sessionKey, 1, -(#newID + 1))

-- Returns the sealed number and the remaining life (ms) of a session that is open and has our code source, how many of
-- its messages the ranges count, and the last call that sent its message again.
local function openSession(id)
  if not id then return nil, 0 end
  local session = redis.call('HMGET', sessionPrefix .. id, 'state', 'expires', 'phone', 'code-source', 'counted',
    'resent-by')
  if session[1] ~= 'open' or session[4] ~= codeSource then return nil, 0 end
  return session[3], tonumber(session[2]) - now, session[5], session[6]
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

local limits = {}

-- Returns the limits with their counts, this message included, for `explain`.
local function chain()
  local counts = {}
  for i, limit in ipairs(limits) do counts[i] = limit.sends + 1 end
  return string.format(rules.countedLimits, unpack(counts)) .. otherLimits
end

-- Records the decision on this request for operators.
local function decide(outcome, entry)
  local counted, found, message = '', '', ''
  if entry then
    counted, found = chain(), isKnown and knownBreaker or breaker
    message = string.match(sessionKey, '^dt:{p(%d+)}') .. '-' .. entry
  end
  redis.call('XADD', decisionsKey, 'MAXLEN', '~', rules.decisions, '*', 'request', request, 'at', nowText,
    'outcome', outcome, 'limits', counted, 'breaker', found, 'message', message)
  redis.call('PEXPIRE', decisionsKey, rules.decisionLife)
end

local locked, id = unpack(redis.call('MGET', lockKey, openKey))
local phone, life, counted, resentBy = openSession(locked or id)
if phone and life > 0 then
  -- This call was executed before, perhaps longer ago than its lock lives. The worker must not take back what the first
  -- execution has used.
  if (locked or id) == newID then return {'opened', counted == '0' and 1 or 0} end
  if resentBy == newID .. ' 0' or resentBy == newID .. ' 1' then
    return {'resent', locked or id, phone, resentBy == newID .. ' 0' and 1 or 0}
  end
  if locked then
    writeWhenMemoryIsFull(sessionKey)
    decide('reentered')
    return {'reentered', locked, phone}
  end
end

if isSent then
  recognize()
  local refused
  limits, refused = checkLimits()
  if refused then return refused end
  if isBarred == '1' then return {'barred'} end
  if (isKnown and isKnownStopped or isStopped) == '1' then return {'stepped-up', isKnown and 1 or 0} end
  countInWindows(limits, now, newID)
end
local isCounted = isSent and not isKnown and '1' or '0'

local outcome
if locked then phone, life = openSession(id) end
if phone and life >= rules.leastLifeToResend then
  outcome = {'resent', id, phone, isKnown and 1 or 0}
  redis.call('HINCRBY', sessionPrefix .. id, 'messages', isSent and '1' or '0')
  redis.call('HINCRBY', sessionPrefix .. id, 'counted', isCounted)
  redis.call('HSET', sessionPrefix .. id, 'resent-by', newID .. ' ' .. isCounted)
else
  id, phone, life, outcome = newID, newPhone, rules.sessionLife, {'opened', isKnown and 1 or 0}
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
