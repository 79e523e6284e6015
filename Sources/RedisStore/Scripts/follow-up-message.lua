-- Acts on a delivery receipt or on its absence: an undelivered message goes to the next gateway while its session is
-- open.
-- KEYS  1 record of the message   2 messages whose receipts are due   3 outbox
--       4 session key without the id, which is stored in the record
-- ARGV  1 entry id  2 now (ms)  3 finding: "delivered", "undelivered" or "unconfirmed"
--       4 gateway that reported it; "" if no receipt came
-- RETURNS  {"unknown"} | {"repeated"}
--          | {outcome, project, gateway}: "delivered", "requeued", or "over" if the session no longer waits for the
--          message
-- Atomic: a message is requeued once, however many receipts arrive and however many dispatchers find them missing.

local id, now, finding, gateway = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
local record = redis.call('HMGET', KEYS[1], 'state', 'gateway', 'session', 'phone', 'project', 'purpose', 'locale', 'queued',
  'expires', 'tried', 'ending')
local state, session, expires = record[1], record[3], record[9]
redis.call('ZREM', KEYS[2], id)
if not state or state == 'dead' or state == 'ended' or (gateway ~= '' and gateway ~= record[2]) then return {'unknown'} end
if state == finding or state == 'delivered' then return {'repeated'} end
redis.call('HSET', KEYS[1], 'state', finding, finding .. '-at', now)
if finding == 'delivered' then return {'delivered', record[5], record[2]} end

if state ~= 'accepted' or now >= tonumber(expires) then return {'over', record[5], record[2]} end
if redis.call('HGET', KEYS[4] .. session, 'state') ~= 'open' then return {'over', record[5], record[2]} end
local entry = redis.call('XADD', KEYS[3], '*', 'session', session, 'phone', record[4], 'project', record[5], 'purpose', record[6],
  'locale', record[7], 'ending', record[11] or '', 'queued', record[8], 'expires', expires, 'tried', record[10])
redis.call('HSET', KEYS[1], 'next', entry)
return {'requeued', record[5], record[2]}
