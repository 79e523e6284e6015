-- Opens a verification session, or returns the one that this number and client already have.
-- KEYS  1 lock   2 open session of number and client   3 new session   4 outbox   5 times of sends to the number
-- ARGV  1 now (ms)  2 new session id  3 lock life (ms)  4 session life (ms)  5 sealed number  6 project  7 purpose
--       8 locale  9 binding  10 attempts  11 "fictional": no message and no limit, or "real"
--       12… limits on sends: window (ms), maximum
-- RETURNS  {"opened"} | {"resent", id, sealed number} | {"reentered", id, sealed number} | {"limited", window (ms), retry after (ms)}
-- Atomic: either lock, session, counters and outbox entry all exist afterwards, or nothing changed.
-- A session that has ended took its lock and its open key with it, so an id found here is alive unless its time is up.

local now = tonumber(ARGV[1])
local fictional = ARGV[11] == 'fictional'
local prefix = string.sub(KEYS[3], 1, -(#ARGV[2] + 1))

local function living(id)
  if not id then return nil end
  local session = redis.call('HMGET', prefix .. id, 'state', 'expires', 'phone', 'kind')
  if session[1] == 'open' and now < tonumber(session[2]) and session[4] == ARGV[11] then return session[3] end
  return nil
end

local locked = redis.call('GET', KEYS[1])
local phone = living(locked)
if phone then return {'reentered', locked, phone} end

local function refusal()
  local longest = 0
  for i = 12, #ARGV, 2 do longest = math.max(longest, tonumber(ARGV[i])) end
  redis.call('ZREMRANGEBYSCORE', KEYS[5], '-inf', now - longest)
  for i = 12, #ARGV, 2 do
    local window, maximum = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
    -- The send that must leave the window before another may enter it.
    local blocking = redis.call('ZRANGE', KEYS[5], -maximum, -maximum, 'WITHSCORES')
    if blocking[2] and tonumber(blocking[2]) > now - window then
      return {'limited', window, tonumber(blocking[2]) + window - now}
    end
  end
  return nil, longest
end

local id = redis.call('GET', KEYS[2])
phone = living(id)
local longest
if not fictional then
  local refused
  refused, longest = refusal()
  if refused then return refused end
end

local outcome
if phone then
  outcome = {'resent', id, phone}
else
  id, phone = ARGV[2], ARGV[5]
  outcome = {'opened'}
  redis.call('HSET', KEYS[3], 'state', 'open', 'phone', phone, 'project', ARGV[6], 'purpose', ARGV[7],
    'locale', ARGV[8], 'binding', ARGV[9], 'attempts', ARGV[10], 'kind', ARGV[11],
    'created', ARGV[1], 'expires', now + tonumber(ARGV[4]))
  redis.call('PEXPIRE', KEYS[3], ARGV[4])
  redis.call('SET', KEYS[2], id, 'PX', ARGV[4])
end
redis.call('SET', KEYS[1], id, 'PX', ARGV[3])

if not fictional then
  -- A message is of no use once its session has ended, which bounds the stream even when nothing reads it.
  local entry = redis.call('XADD', KEYS[4], 'MINID', '~', now - tonumber(ARGV[4]), '*', 'session', id,
    'phone', phone, 'project', ARGV[6], 'purpose', ARGV[7], 'locale', ARGV[8], 'queued', ARGV[1])
  redis.call('ZADD', KEYS[5], now, entry)
  redis.call('PEXPIRE', KEYS[5], longest)
end
return outcome
