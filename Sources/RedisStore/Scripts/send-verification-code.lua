-- Opens a verification session, or returns the one that this number and client already have.
-- KEYS  1 lock   2 open session of number and client   3 new session   4 outbox   5 decisions   6 clients that gave right codes
--       7 range of the region, 8 of the series, 9 of the block   10 what was spent today   11… what the limits count sends in
-- ARGV  1 now (ms)  2 new session id  3 lock life (ms)  4 session life (ms)  5 sealed number  6 project  7 purpose
--       8 locale  9 binding  10 attempts  11 code source: "derived", or "test-number": no message and no limit
--       12 life that a session must have left to be sent again (ms)  13 what machines read at the message's end
--       14 reference of the decision  15 masked number  16 region  17 what proved the app  18 decisions to keep
--       19 life of a decision (ms)  20 "on", or "record" where no range is held up  21 "hard" where a hard challenge was solved
--       22 half-life of ranges (ms)  23 what a verified message makes up for (hundredths of a message)
--       24 what a region may owe, 25 a series, 26 a block  27 price (millionths)  28 cap of the region's day (millionths), or ""
--       29 from which share of it new clients are challenged (%)  30 how long a client is known (ms)
--       31… limits on sends: key, window (ms), maximum, bucket (ms), or 0 where each send is remembered, and its name;
--       of the limits with one key the longest window is the last
-- RETURNS  {"opened"} | {"resent", id, sealed number} | {"reentered", id, sealed number}
--          | {"limited", limit (from 1), sends in its window, retry after (ms)}
--          | {"stepped-up", level, cause, value, bound, retry after (ms)}
-- Atomic: either lock, session, counters and outbox entry all exist afterwards, or nothing changed.
-- A session that has ended took its lock and its open key with it, so an id found here is alive unless its time is up.
-- The number's key lies with its session. Those of network, app credential, project, deployment and ranges lie elsewhere, and
-- all that is done with them stands in `check`, `judge` and `count`: a Redis Cluster would have to run these as a step before.

local now, lockLife, sessionLife = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4])
local newID, newPhone, project, purpose, locale = ARGV[2], ARGV[5], ARGV[6], ARGV[7], ARGV[8]
local binding, attempts, codeSource, leastLife = ARGV[9], ARGV[10], ARGV[11], tonumber(ARGV[12])
local ending, FIRST_LIMIT = ARGV[13], 31
local price, cap = tonumber(ARGV[27]), tonumber(ARGV[28])
local DAY = 86400000
local isSent = codeSource == 'derived'
local sessionPrefix = string.sub(KEYS[3], 1, -(#newID + 1))

-- The sealed number and the remaining life of a session that is open and of our kind.
local function living(id)
  if not id then return nil, 0 end
  local session = redis.call('HMGET', sessionPrefix .. id, 'state', 'expires', 'phone', 'code-source')
  if session[1] ~= 'open' or session[4] ~= codeSource then return nil, 0 end
  return session[3], tonumber(session[2]) - now
end

-- The limits, and the one that forbids a message for the longest time from now, or nil. Reads only.
local function check()
  local limits, refused, longest = {}, nil, 0
  for i = FIRST_LIMIT, #ARGV, 5 do
    local limit = {key = KEYS[tonumber(ARGV[i])], window = tonumber(ARGV[i + 1]), maximum = tonumber(ARGV[i + 2]),
      bucket = tonumber(ARGV[i + 3]), name = ARGV[i + 4]}
    table.insert(limits, limit)
    local milliseconds = waitForRoom(limit, now)
    if milliseconds > longest then
      refused, longest = {'limited', #limits, limit.sends, milliseconds}, milliseconds
    end
  end
  return limits, refused
end

-- The ranges that a new client's message counts in, and how far such sends are stepped up: level, cause, value, bound and
-- retry after (ms). Reads only.
local function judge()
  local ranges, verdict, nearest = {}, nil, 0
  local since = redis.call('ZSCORE', KEYS[6], binding)
  local isKnown = since and now < tonumber(since) + tonumber(ARGV[30])
  if not isKnown then
    local halfLife, credit = tonumber(ARGV[22]), tonumber(ARGV[23]) / 100
    for i, kind in ipairs({'region', 'series', 'block'}) do
      local range, allowance = readRange(KEYS[6 + i], now, halfLife), tonumber(ARGV[23 + i])
      local owed = debt(range, credit)
      local share = (owed + 1) / allowance
      table.insert(ranges, range)
      if share > nearest then
        nearest = share
        verdict = {share <= 1 and 'normal' or share <= 1.5 and 'challenged' or 'denied', kind, owed, allowance,
          share > 1.5 and halfLife * math.log(owed / (1.5 * allowance - 1)) / math.log(2) or 0}
      end
    end
  end
  if cap then
    local spent = tonumber(redis.call('HGET', KEYS[10], ARGV[16]) or 0)
    if spent + price > cap then
      verdict = {'denied', 'spending', spent, cap, DAY - now % DAY}
    elseif not isKnown and verdict[1] == 'normal' and spent * 100 >= cap * tonumber(ARGV[29]) then
      verdict = {'challenged', 'spending', spent, cap, 0}
    end
  end
  return ranges, verdict
end

-- Counts a send.
local function count(limits, ranges)
  countInWindows(limits, now, newID)
  for _, range in ipairs(ranges) do countInRange(range, 1, 0) end
  if price > 0 then
    redis.call('HINCRBY', KEYS[10], ARGV[16], price)
    redis.call('PEXPIRE', KEYS[10], 2 * DAY)
  end
end

local limits, ranges, verdict = {}, {}, nil

-- What there was to be counted, this message among it, for `explain`.
local function chain()
  local words = {}
  for i, limit in ipairs(limits) do
    words[i] = limit.name .. ':' .. limit.sends + 1 .. ':' .. limit.maximum .. ':' .. limit.window
  end
  return table.concat(words, ';'), verdict and table.concat(verdict, ' ') or 'known'
end

-- Lets operators tell what became of this request. It lies elsewhere, as the limits do.
local function decide(outcome, entry)
  local counted, breaker = '', ''
  if entry then counted, breaker = chain() end
  redis.call('XADD', KEYS[5], 'MAXLEN', '~', ARGV[18], '*', 'reference', ARGV[14], 'at', now, 'operation', 'sendVerificationCode',
    'project', project, 'number', ARGV[15], 'region', ARGV[16], 'proof', ARGV[17], 'outcome', outcome,
    'limits', counted, 'breaker', breaker,
    'message', entry and string.match(KEYS[3], '^dt:{p(%d+)}') .. '-' .. entry or '')
  redis.call('PEXPIRE', KEYS[5], ARGV[19])
end

local locked = redis.call('GET', KEYS[1])
local phone, life = living(locked)
if phone and life > 0 then
  decide('reentered')
  return {'reentered', locked, phone}
end

if isSent then
  local refused
  limits, refused = check()
  if refused then return refused end
  ranges, verdict = judge()
  if verdict then
    for i = 3, 5 do verdict[i] = string.format('%d', math.ceil(verdict[i])) end
    local isStopped = verdict[1] == 'denied' or verdict[1] == 'challenged' and ARGV[21] ~= 'hard'
    if isStopped and ARGV[20] == 'on' then return {'stepped-up', unpack(verdict)} end
  end
  count(limits, ranges)
end

local id, outcome = redis.call('GET', KEYS[2]), nil
phone, life = living(id)
if phone and life >= leastLife then
  outcome = {'resent', id, phone}
  redis.call('HINCRBY', sessionPrefix .. id, 'messages', isSent and 1 or 0)
  redis.call('HINCRBY', sessionPrefix .. id, 'counted', #ranges > 0 and 1 or 0)
else
  id, phone, life, outcome = newID, newPhone, sessionLife, {'opened'}
  redis.call('HSET', KEYS[3], 'state', 'open', 'phone', phone, 'project', project, 'purpose', purpose,
    'locale', locale, 'binding', binding, 'attempts', attempts, 'code-source', codeSource,
    'created', now, 'expires', now + life, 'messages', isSent and 1 or 0, 'counted', #ranges > 0 and 1 or 0)
  redis.call('PEXPIRE', KEYS[3], life)
  redis.call('SET', KEYS[2], id, 'PX', life)
end
redis.call('SET', KEYS[1], id, 'PX', math.min(lockLife, life))

local entry
if isSent then
  entry = redis.call('XADD', KEYS[4], '*', 'session', id, 'phone', phone, 'project', project,
    'purpose', purpose, 'locale', locale, 'ending', ending, 'queued', now, 'expires', now + life,
    'price', price, 'counted', #ranges > 0 and 1 or 0)
  -- A message is of no use once its session has ended, which bounds the stream even when nothing reads it. Entry ids are
  -- times of Redis's own clock.
  redis.call('XTRIM', KEYS[4], 'MINID', '~', tonumber(string.match(entry, '^%d+')) - sessionLife)
end
decide(outcome[1], entry)
return outcome
