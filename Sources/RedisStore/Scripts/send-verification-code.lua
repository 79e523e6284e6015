-- Opens a verification session, or returns the one that this number and client already have.
-- KEYS  1 lock   2 open session of number and client   3 new session   4 outbox   5… what the limits count sends in
-- ARGV  1 now (ms)  2 new session id  3 lock life (ms)  4 session life (ms)  5 sealed number  6 project  7 purpose
--       8 locale  9 binding  10 attempts  11 code source: "derived", or "test-number": no message and no limit
--       12 life that a session must have left to be sent again (ms)  13… limits on sends: key, window (ms), maximum,
--       bucket (ms), or 0 where each send is remembered; of the limits with one key the longest window is the last
-- RETURNS  {"opened"} | {"resent", id, sealed number} | {"reentered", id, sealed number}
--          | {"limited", limit (from 1), sends in its window, retry after (ms)}
-- Atomic: either lock, session, counters and outbox entry all exist afterwards, or nothing changed.
-- A session that has ended took its lock and its open key with it, so an id found here is alive unless its time is up.
-- The number's key lies with its session. Those of network, app credential, project and deployment lie elsewhere, and all
-- that is done with them stands in `check` and `count`: a Redis Cluster would have to run these as a step before.

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

-- Each send is remembered: a sorted set of times. One more fits in when the send that is `maximum` sends ago has left.
local function waitForEach(limit)
  local barring = redis.call('ZRANGE', limit.key, -limit.maximum, -limit.maximum, 'WITHSCORES')
  return barring[2] and tonumber(barring[2]) + limit.window - now or 0
end

-- Too many to remember each: a hash of buckets of time, each with its sends, and beside them the newest one's number and what
-- the older ones hold together, so that all are read only when a bucket begins or a message is refused. A bucket counts until
-- the last send that it can hold has left the window: so a send counts too long, by less than a bucket, and never too short.
local function waitForBuckets(limit)
  local current = math.floor(now / limit.bucket)
  local known = redis.call('HMGET', limit.key, 'newest', 'older', current)
  local newest = tonumber(known[1]) or 0
  -- Another worker's clock may be ahead.
  if newest > current then current, known[3] = newest, redis.call('HGET', limit.key, newest) end
  local oldest = current - limit.window / limit.bucket
  local sends = tonumber(known[3]) or 0
  local buckets
  if newest < current or tonumber(known[2]) + sends >= limit.maximum then
    buckets, limit.older, limit.ended = {}, 0, {}
    local hash = redis.call('HGETALL', limit.key)
    for i = 1, #hash, 2 do
      local bucket, held = tonumber(hash[i]), tonumber(hash[i + 1])
      if bucket and bucket < oldest then
        table.insert(limit.ended, hash[i])
      elseif bucket then
        buckets[bucket] = held
        if bucket < current then limit.older = limit.older + held end
      end
    end
    limit.begins = newest < current
  else
    limit.older = tonumber(known[2])
  end
  limit.current, limit.sends = current, limit.older + sends
  local left, wait = limit.sends, 0
  while left >= limit.maximum do
    left = left - (buckets[oldest] or 0)
    oldest = oldest + 1
    wait = oldest * limit.bucket + limit.window - now
  end
  return wait
end

-- The limits, and the one that forbids a message for the longest time from now, or nil. Reads only.
local function check()
  local limits, refused, longest = {}, nil, 0
  for i = FIRST_LIMIT, #ARGV, 4 do
    local limit = {key = KEYS[tonumber(ARGV[i])], window = tonumber(ARGV[i + 1]), maximum = tonumber(ARGV[i + 2]),
      bucket = tonumber(ARGV[i + 3])}
    table.insert(limits, limit)
    local milliseconds = limit.bucket > 0 and waitForBuckets(limit) or waitForEach(limit)
    if milliseconds > longest then
      local sends = limit.sends or redis.call('ZCOUNT', limit.key, '(' .. now - limit.window, '+inf')
      refused, longest = {'limited', #limits, sends, milliseconds}, milliseconds
    end
  end
  return limits, refused
end

-- Counts a send in each key once.
local function count(limits)
  for i, limit in ipairs(limits) do
    if limit.bucket > 0 then
      if limit.begins then
        if #limit.ended > 0 then redis.call('HDEL', limit.key, unpack(limit.ended)) end
        redis.call('HSET', limit.key, 'newest', limit.current, 'older', limit.older)
        redis.call('PEXPIRE', limit.key, limit.window + 2 * limit.bucket)
      end
      redis.call('HINCRBY', limit.key, limit.current, 1)
    elseif not limits[i + 1] or limits[i + 1].key ~= limit.key then
      redis.call('ZREMRANGEBYSCORE', limit.key, '-inf', now - limit.window)
      redis.call('ZADD', limit.key, now, newID)
      redis.call('PEXPIRE', limit.key, limit.window)
    end
  end
end

local locked = redis.call('GET', KEYS[1])
local phone, life = living(locked)
if phone and life > 0 then return {'reentered', locked, phone} end

if isSent then
  local limits, refused = check()
  if refused then return refused end
  count(limits)
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
end
return outcome
