-- Opens a verification session, or returns the one that this number and client already have.
-- KEYS  1 lock   2 open session of number and client   3 new session   4 outbox   5 times of sends to the number
-- ARGV  1 now (ms)  2 new session id  3 lock life (ms)  4 session life (ms)  5 sealed number  6 project  7 purpose
--       8 locale  9 binding  10 attempts  11 code source: "derived", or "test-number": no message and no limit
--       12 life that a session must have left to be sent again (ms)  13… limits on sends: window (ms), maximum
-- RETURNS  {"opened"} | {"resent", id, sealed number} | {"reentered", id, sealed number}
--          | {"limited", window (ms), retry after (ms)}
-- Atomic: either lock, session, counters and outbox entry all exist afterwards, or nothing changed.
-- A session that has ended took its lock and its open key with it, so an id found here is alive unless its time is up.

local now, lockLife, sessionLife = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4])
local newID, newPhone, project, purpose, locale = ARGV[2], ARGV[5], ARGV[6], ARGV[7], ARGV[8]
local binding, attempts, codeSource, leastLife = ARGV[9], ARGV[10], ARGV[11], tonumber(ARGV[12])
local FIRST_LIMIT = 13
local isSent = codeSource == 'derived'
local sessionPrefix = string.sub(KEYS[3], 1, -(#newID + 1))

-- The sealed number and the remaining life of a session that is open and of our kind.
local function living(id)
  if not id then return nil, 0 end
  local session = redis.call('HMGET', sessionPrefix .. id, 'state', 'expires', 'phone', 'code-source')
  if session[1] ~= 'open' or session[4] ~= codeSource then return nil, 0 end
  return session[3], tonumber(session[2]) - now
end

-- The limit that forbids a message for the longest time from now, or nil; and the longest window.
local function refusal()
  local longest = 0
  for i = FIRST_LIMIT, #ARGV, 2 do longest = math.max(longest, tonumber(ARGV[i])) end
  redis.call('ZREMRANGEBYSCORE', KEYS[5], '-inf', now - longest)
  local refused
  for i = FIRST_LIMIT, #ARGV, 2 do
    local window, maximum = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
    -- The send that must leave the window before another may enter it.
    local blocking = redis.call('ZRANGE', KEYS[5], -maximum, -maximum, 'WITHSCORES')
    local wait = blocking[2] and tonumber(blocking[2]) + window - now or 0
    if wait > (refused and refused[3] or 0) then refused = {'limited', window, wait} end
  end
  return refused, longest
end

local locked = redis.call('GET', KEYS[1])
local phone, life = living(locked)
if phone and life > 0 then return {'reentered', locked, phone} end

local refused, longest
if isSent then
  refused, longest = refusal()
  if refused then return refused end
end

local id, outcome = redis.call('GET', KEYS[2]), nil
phone, life = living(id)
if phone and life >= leastLife then
  outcome = {'resent', id, phone}
else
  id, phone, life, outcome = newID, newPhone, sessionLife, {'opened'}
  redis.call('HSET', KEYS[3], 'state', 'open', 'phone', phone, 'project', project, 'purpose', purpose,
    'locale', locale, 'binding', binding, 'attempts', attempts, 'code-source', codeSource,
    'created', now, 'expires', now + life)
  redis.call('PEXPIRE', KEYS[3], life)
  redis.call('SET', KEYS[2], id, 'PX', life)
end
redis.call('SET', KEYS[1], id, 'PX', math.min(lockLife, life))

if isSent then
  local entry = redis.call('XADD', KEYS[4], '*', 'session', id, 'phone', phone, 'project', project,
    'purpose', purpose, 'locale', locale, 'queued', now, 'expires', now + life)
  -- A message is of no use once its session has ended, which bounds the stream even when nothing reads it. Entry ids are
  -- times of Redis's own clock.
  redis.call('XTRIM', KEYS[4], 'MINID', '~', tonumber(string.match(entry, '^%d+')) - sessionLife)
  redis.call('ZADD', KEYS[5], now, entry)
  redis.call('PEXPIRE', KEYS[5], longest)
end
return outcome
