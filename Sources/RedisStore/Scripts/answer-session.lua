-- Counts one answer to a verification session. A correct code uses the session up and finds the number's account.
-- KEYS  1 session   2 number → claim   3 lock, 4 open session: both without the binding, which is stored in the session
--       5 wrong codes for the number since the last correct one   6 known clients: those that gave a correct code
--       7 range of the region, 8 of the series, 9 of the block   10 today's ledger
-- ARGV  1 now (ms)  2 request id  3 "right" or "wrong"  4 tombstone life (ms)  5 session id
--       6 claim for a number that has none, or the required claim, or ""
--       7 maximum of wrong codes for a number  8 wrong codes of one client before the client must wait
--       9 longest such wait (ms)  10 half-life of the number's wrong codes (ms)
--       11 how many of the maximum are reserved for known clients  12 how many known clients are remembered
--       13 for how long (ms)  14 half-life of ranges (ms)  15 region  16 series  17 life of the ledger (ms)
--       18 "1" if the request carries an ID token of the account that holds the number, else ""
--       19 "1" if only the required claim is acceptable because there is no room for another account, else ""
-- RETURNS  {"right", the number's claim or ""} | {"no-room"}: nothing was changed
--          | {"wrong", attempts left} | {"used"} | {"exhausted"} | {"expired"}
--          | {"blocked", "number" or "client", wrong codes, retry after (ms)}: rejected without verification, and no
--            attempt of the session is spent
-- Atomic: concurrent answers cannot exceed the allowed attempts, and only one correct code uses the session.
-- Idempotent: the front end retries a request whose worker died, and a worker resends a call whose reply was lost. The
-- same request id gets the same outcome and is counted once, whatever changes concurrently. The session therefore keeps
-- `answers`: lines of request id and attempts left, one for each wrong answer, at most as many as it has attempts. A
-- session of the previous version has only `request`, the last id.

local session = redis.call('HMGET', KEYS[1], 'state', 'expires', 'attempts', 'binding', 'request',
  'messages', 'counted', 'gateway', 'client', 'answers')
local state, attempts = session[1], tonumber(session[3])
local again, answers = session[5] == ARGV[2], session[10] or ''

-- Returns how many attempts were left after this request's wrong answer, or nil if the request has given none.
local function attemptsLeftBefore()
  local _, last = string.find(answers, '\n' .. ARGV[2] .. ' ', 1, true)
  return last and tonumber(string.match(answers, '^%d+', last + 1))
end

-- Ends the session: keeps only what explains later answers, for a while, and lets a new session begin at once.
local function finish(outcome)
  local ended, keys = {KEYS[1]}, {KEYS[3] .. session[4], KEYS[4] .. session[4]}
  for i, id in ipairs(redis.call('MGET', unpack(keys))) do
    if id == ARGV[5] then table.insert(ended, keys[i]) end
  end
  redis.call('DEL', unpack(ended))
  redis.call('HSET', KEYS[1], 'state', outcome, 'request', ARGV[2])
  if answers ~= '' then redis.call('HSET', KEYS[1], 'answers', answers) end
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end

local function claimOfNumber()
  local claim = redis.call('GET', KEYS[2])
  if not claim and ARGV[6] ~= '' and ARGV[19] == '' then
    claim = ARGV[6]
    redis.call('SET', KEYS[2], claim)
  end
  return claim or ''
end

if not state then return {'expired'} end
local leftBefore = attemptsLeftBefore()
if leftBefore then return {'wrong', leftBefore} end
if state == 'used' then
  if again and ARGV[3] == 'right' then
    -- A write is needed: WAIT confirms the writes of one connection, and the first execution may have used another.
    redis.call('PEXPIRE', KEYS[1], ARGV[4])
    return {'right', claimOfNumber()}
  end
  return {'used'}
end
if state == 'exhausted' then
  if again then return {'wrong', 0} end
  return {'exhausted'}
end
local now = tonumber(ARGV[1])
if now >= tonumber(session[2]) then return {'expired'} end
if again then return {'wrong', attempts} end

-- Protects against guessing attacks without locking the owner out. All wrong codes count against the number, but only
-- the client that gave them has to wait, and the last of a number's wrong codes are reserved for known clients.
-- Otherwise an attacker could keep the owner out with one answer an hour, or with a hundred. Half of the number's wrong
-- codes are forgotten in each half-life, and all of them eight half-lives after the last one.
local client, halfLife = session[9] or session[4], tonumber(ARGV[10])
local memory = 8 * halfLife
local wrong = redis.call('HMGET', KEYS[5], 'all', 'last', 'all:' .. client, 'last:' .. client)
-- The worker's clock decides, as everywhere. Redis's clock only expires keys.
if wrong[2] and now >= tonumber(wrong[2]) + memory then
  redis.call('DEL', KEYS[5])
  wrong = {}
end
if wrong[4] and now >= tonumber(wrong[4]) + memory then wrong[3] = nil end
local wrongOfAll, wrongOfClient = tonumber(wrong[1] or 0), tonumber(wrong[3] or 0)
if wrongOfAll > 0 then wrongOfAll = wrongOfAll * 2 ^ (-math.max(0, now - tonumber(wrong[2])) / halfLife) end

local function isKnown()
  if ARGV[18] == '1' then return true end
  local since = redis.call('ZSCORE', KEYS[6], client)
  return since and now < tonumber(since) + tonumber(ARGV[13])
end

-- A partly forgotten wrong code still counts as one, so concurrent answers never exceed the maximum.
local whole = math.ceil(wrongOfAll - 1e-6)
local maximum, excess = tonumber(ARGV[7]), wrongOfClient - tonumber(ARGV[8])
if whole >= maximum - ARGV[11] and not isKnown() then maximum = maximum - ARGV[11] end
if whole >= maximum then
  local wait = maximum > 1 and halfLife * math.log(wrongOfAll / (maximum - 1)) / math.log(2) or tonumber(wrong[2]) + memory - now
  return {'blocked', 'number', whole, math.max(1, math.ceil(wait))}
elseif excess >= 0 then
  local wait = tonumber(wrong[4]) + math.min(1000 * 2 ^ excess, tonumber(ARGV[9])) - now
  if wait > 0 then return {'blocked', 'client', wrongOfClient, wait} end
end

-- Removes clients whose wrong codes are forgotten, so that they do not take memory forever.
local function forgetClients()
  local size = redis.call('HLEN', KEYS[5])
  if size < 256 or size % 64 > 1 then return end
  local fields = redis.call('HGETALL', KEYS[5])
  for i = 1, #fields, 2 do
    local name = string.match(fields[i], '^last:(.*)')
    if name and now >= tonumber(fields[i + 1]) + memory then redis.call('HDEL', KEYS[5], fields[i], 'all:' .. name) end
  end
end

if ARGV[3] ~= 'right' then
  writeWhenMemoryIsFull(KEYS[1])
  redis.call('HSET', KEYS[5], 'all', string.format('%.3f', wrongOfAll + 1), 'last', ARGV[1],
    'all:' .. client, wrongOfClient + 1, 'last:' .. client, ARGV[1])
  redis.call('PEXPIRE', KEYS[5], string.format('%d', memory))
  forgetClients()
  attempts = attempts - 1
  answers = answers .. '\n' .. ARGV[2] .. ' ' .. attempts
  if attempts <= 0 then
    finish('exhausted')
  else
    redis.call('HSET', KEYS[1], 'attempts', attempts, 'request', ARGV[2], 'answers', answers)
  end
  return {'wrong', attempts}
end

-- A correct code stays valid if there is no room for the account that it needs. Only a client that has the code learns
-- this: wrong codes have been counted above, and clients that must wait were rejected.
if ARGV[19] == '1' and (ARGV[6] == '' or redis.call('GET', KEYS[2]) ~= ARGV[6]) then return {'no-room'} end

-- The first write needs no memory: see writeWhenMemoryIsFull.
redis.call('DEL', KEYS[5])
-- A verified code shows that the session's messages reached a real user. These keys have other hash tags: on a Redis
-- Cluster this would be a separate, later call.
local messages, counted = tonumber(session[6] or 0), tonumber(session[7] or 0)
if counted > 0 then
  countInRanges(readRanges({KEYS[7], KEYS[8], KEYS[9]}, now, tonumber(ARGV[14])), 0, counted)
end
if messages > 0 then
  redis.call('HINCRBY', KEYS[10], 'verified:' .. ARGV[15] .. ':' .. ARGV[16] .. ':' .. (session[8] or ''), session[6])
  redis.call('PEXPIRE', KEYS[10], ARGV[17])
end

redis.call('ZADD', KEYS[6], ARGV[1], client)
redis.call('ZREMRANGEBYSCORE', KEYS[6], '-inf', string.format('%d', now - ARGV[13]))
redis.call('ZREMRANGEBYRANK', KEYS[6], '0', string.format('%d', -1 - ARGV[12]))
redis.call('PEXPIRE', KEYS[6], ARGV[13])
finish('used')
return {'right', claimOfNumber()}
