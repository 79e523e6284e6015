-- Counts an event in rate limits, if each of them has room for it (check-and-spend).
-- USES rate-limits
-- REPEATABLE: the key of the event says that it was counted
-- KEYS  `eventKey` of an event that was counted  `limitKeys`… one per limit
-- ARGV  `now` (ms)  `event`: its id  `eventLife`: for how long it is known as counted (ms)
--       `bounds`… for each limit, see readLimits in rate-limits.lua
-- RETURNS  "counted" | "repeated": the event was counted before
--          | {"limited", for each limit without room: its index, the events that count, retry after (ms)}
-- Atomic: the event is counted in all of these limits or in none.
-- Idempotent: the front end may retry a request whose worker died, and a call whose reply was lost is resent. The same
-- event is counted once.

if redis.call('EXISTS', eventKey) == 1 then return 'repeated' end
now = tonumber(now)
local limits = readLimits(limitKeys, bounds)
local refused = exceeded(limits, now)
if refused then return refused end
-- The first write needs no memory: existing users must be able to sign in when Redis has reached maxmemory, see
-- full-memory.lua.
redis.call('PEXPIRE', eventKey, '1')
redis.call('SET', eventKey, '1', 'PX', eventLife)
countInLimits(limits, now, event)
return 'counted'
