-- Counts one answer to a verification session. A correct code uses the session up and finds the number's account.
-- USES full-memory
-- REPEATABLE: the session has the ids of its requests, see below
-- KEYS  `sessionKey`  `claimKey` number → claim
--       `lockPrefix`, `openPrefix`: lock and open session without the binding, which is stored in the session
--       `wrongCodesKey` wrong codes for the number since the last correct one
--       `knownClientsKey` clients that gave a correct code
-- ARGV  `now` (ms)  `request` id  `answer`: "right" or "wrong"  `sessionID`
--       `claim` for a number that has none, or the required claim, or ""
--       `isOfAccount` (0 | 1): the request carries an ID token of the account that holds the number
--       `requiresClaim` (0 | 1): only the required claim is acceptable because there is no room for another account
-- `rules` are the settings that all answers share: see AnswerRules.swift.
-- RETURNS  {"right", the number's claim or "", the gateway of the last message or "", the session's messages, and how
--            many of them its ranges count}; only the claim if repeated
--          | {"no-room"}: nothing was changed
--          | {"wrong", attempts left} | {"used"} | {"exhausted"} | {"expired"}
--          | {"blocked", "number" or "client", wrong codes, retry after (ms)}: rejected without verification, and no
--            attempt of the session is spent
-- The number's ranges and the ledger are in other slots. A later call counts the messages there as verified. If it is
-- lost, the ranges owe too much until it is forgotten.
-- Atomic: concurrent answers cannot exceed the allowed attempts, and only one correct code uses the session.
-- Idempotent: the front end retries a request whose worker died, and a worker resends a call whose reply was lost. The
-- same request id gets the same outcome and is counted once, whatever changes concurrently. The session therefore keeps
-- `answers`: lines of request id and attempts left, one for each wrong answer, at most as many as it has attempts. A
-- session of the previous version has only `request`, the last id.

local session = redis.call('HMGET', sessionKey, 'state', 'expires', 'attempts', 'binding', 'request',
  'messages', 'counted', 'gateway', 'client', 'answers')
local state, attempts = session[1], tonumber(session[3])
local again, answers = session[5] == request, session[10] or ''

-- Returns how many attempts were left after this request's wrong answer, or nil if the request has given none.
local function attemptsLeftBefore()
  local _, last = string.find(answers, '\n' .. request .. ' ', 1, true)
  return last and tonumber(string.match(answers, '^%d+', last + 1))
end

-- Ends the session: keeps only what explains later answers, for a while, and lets a new session begin at once.
local function finish(outcome)
  local ended, keys = {sessionKey}, {lockPrefix .. session[4], openPrefix .. session[4]}
  for i, id in ipairs(redis.call('MGET', unpack(keys))) do
    if id == sessionID then table.insert(ended, keys[i]) end
  end
  redis.call('DEL', unpack(ended))
  redis.call('HSET', sessionKey, 'state', outcome, 'request', request)
  if answers ~= '' then redis.call('HSET', sessionKey, 'answers', answers) end
  redis.call('PEXPIRE', sessionKey, rules.tombstoneLife)
end

local function claimOfNumber()
  local known = redis.call('GET', claimKey)
  if not known and claim ~= '' and requiresClaim == '0' then
    known = claim
    redis.call('SET', claimKey, known)
  end
  return known or ''
end

if not state then return {'expired'} end
local leftBefore = attemptsLeftBefore()
if leftBefore then return {'wrong', leftBefore} end
if state == 'used' then
  if again and answer == 'right' then
    -- A write is needed: WAIT confirms the writes of one connection, and the first execution may have used another.
    redis.call('PEXPIRE', sessionKey, rules.tombstoneLife)
    return {'right', claimOfNumber()}
  end
  return {'used'}
end
if state == 'exhausted' then
  if again then return {'wrong', 0} end
  return {'exhausted'}
end
local nowText = now
now = tonumber(now)
if now >= tonumber(session[2]) then return {'expired'} end
if again then return {'wrong', attempts} end

-- Protects against guessing attacks without locking the owner out. All wrong codes count against the number, but only
-- the client that gave them has to wait, and the last of a number's wrong codes are reserved for known clients.
-- Otherwise an attacker could keep the owner out with one answer an hour, or with a hundred. Half of the number's wrong
-- codes are forgotten in each half-life, and all of them eight half-lives after the last one.
local client, memory = session[9] or session[4], 8 * rules.halfLife
local wrong = redis.call('HMGET', wrongCodesKey, 'all', 'last', 'all:' .. client, 'last:' .. client)
-- The worker's clock decides, as everywhere. Redis's clock only expires keys.
if wrong[2] and now >= tonumber(wrong[2]) + memory then
  redis.call('DEL', wrongCodesKey)
  wrong = {}
end
if wrong[4] and now >= tonumber(wrong[4]) + memory then wrong[3] = nil end
local wrongOfAll, wrongOfClient = tonumber(wrong[1] or 0), tonumber(wrong[3] or 0)
if wrongOfAll > 0 then wrongOfAll = wrongOfAll * 2 ^ (-math.max(0, now - tonumber(wrong[2])) / rules.halfLife) end

local function isKnown()
  if isOfAccount == '1' then return true end
  local since = redis.call('ZSCORE', knownClientsKey, client)
  return since and now < tonumber(since) + rules.knownClientLife
end

-- A partly forgotten wrong code still counts as one, so concurrent answers never exceed the maximum.
local whole = math.ceil(wrongOfAll - 1e-6)
local maximum, excess = rules.maximum, wrongOfClient - rules.freeWrongCodes
if whole >= maximum - rules.reserved and not isKnown() then maximum = maximum - rules.reserved end
if whole >= maximum then
  local wait = maximum > 1 and rules.halfLife * math.log(wrongOfAll / (maximum - 1)) / math.log(2)
    or tonumber(wrong[2]) + memory - now
  return {'blocked', 'number', whole, math.max(1, math.ceil(wait))}
elseif excess >= 0 then
  local wait = tonumber(wrong[4]) + math.min(1000 * 2 ^ excess, rules.longestWait) - now
  if wait > 0 then return {'blocked', 'client', wrongOfClient, wait} end
end

-- Removes clients whose wrong codes are forgotten, so that they do not take memory forever.
local function forgetClients()
  local size = redis.call('HLEN', wrongCodesKey)
  if size < 256 or size % 64 > 1 then return end
  local fields = redis.call('HGETALL', wrongCodesKey)
  for i = 1, #fields, 2 do
    local name = string.match(fields[i], '^last:(.*)')
    if name and now >= tonumber(fields[i + 1]) + memory then
      redis.call('HDEL', wrongCodesKey, fields[i], 'all:' .. name)
    end
  end
end

if answer ~= 'right' then
  writeWhenMemoryIsFull(sessionKey)
  redis.call('HSET', wrongCodesKey, 'all', string.format('%.3f', wrongOfAll + 1), 'last', nowText,
    'all:' .. client, wrongOfClient + 1, 'last:' .. client, nowText)
  redis.call('PEXPIRE', wrongCodesKey, string.format('%d', memory))
  forgetClients()
  attempts = attempts - 1
  answers = answers .. '\n' .. request .. ' ' .. attempts
  if attempts <= 0 then
    finish('exhausted')
  else
    redis.call('HSET', sessionKey, 'attempts', attempts, 'request', request, 'answers', answers)
  end
  return {'wrong', attempts}
end

-- A correct code stays valid if there is no room for the account that it needs. Only a client that has the code learns
-- this: wrong codes have been counted above, and clients that must wait were rejected.
if requiresClaim == '1' and (claim == '' or redis.call('GET', claimKey) ~= claim) then return {'no-room'} end

-- The first write needs no memory: see writeWhenMemoryIsFull.
finish('used')
if wrong[1] then redis.call('DEL', wrongCodesKey) end
local isAdded = redis.call('ZADD', knownClientsKey, nowText, client) == 1
-- An only client makes no other obsolete.
if not isAdded or redis.call('ZCARD', knownClientsKey) > 1 then
  redis.call('ZREMRANGEBYSCORE', knownClientsKey, '-inf', string.format('%d', now - rules.knownClientLife))
  redis.call('ZREMRANGEBYRANK', knownClientsKey, '0', rules.lastSurplusClient)
end
redis.call('PEXPIRE', knownClientsKey, string.format('%d', rules.knownClientLife))
return {'right', claimOfNumber(), session[8] or '', tonumber(session[6] or 0), tonumber(session[7] or 0)}
