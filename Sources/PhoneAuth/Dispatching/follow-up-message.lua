-- Acts on a delivery receipt or on its absence: an undelivered message goes to the next gateway while its session is
-- open.
-- NOT REPEATABLE: gateways resend a delivery receipt that was answered with 503; it then counts as repeated
-- KEYS  `recordKey` of the message  `dueKey` messages whose receipts are due  `outboxKey`
--       `sessionPrefix`: session without its id, which is stored in the record
-- ARGV  `id` of the entry  `now` (ms)  `finding`: "delivered", "undelivered" or "unconfirmed"
--       `gateway` that reported it; "" if no receipt came
-- RETURNS  {"unknown"} | {"repeated"}
--          | {outcome, gateway}: "delivered", "requeued", or "over" if the session no longer waits for the
--          message
-- Atomic: a message is requeued once, however many receipts arrive and however many dispatchers find them missing.

local record = redis.call('HMGET', recordKey, 'state', 'gateway', 'session', 'phone', 'purpose', 'locale', 'queued',
  'expires', 'tried', 'ending', 'counted', 'route')
local state, session, expires = record[1], record[3], record[8]
if state and gateway ~= '' and gateway ~= record[2] then return {'unknown'} end
redis.call('ZREM', dueKey, id)
if not state or state == 'dead' or state == 'ended' then return {'unknown'} end
if state == finding or state == 'delivered' then return {'repeated'} end
redis.call('HSET', recordKey, 'state', finding, finding .. '-at', now)
if finding == 'delivered' then return {'delivered', record[2]} end

if state ~= 'accepted' or tonumber(now) >= tonumber(expires) then return {'over', record[2]} end
if string.sub(redis.call('GET', sessionPrefix .. session) or '', 1, 5) ~= 'open\n' then return {'over', record[2]} end
local entry = redis.call('XADD', outboxKey, '*', 'session', session, 'phone', record[4], 'purpose', record[5],
  'locale', record[6], 'ending', record[10], 'queued', record[7], 'expires', expires, 'tried', record[9],
  'counted', record[11], 'again', '1', 'route', record[12] or '')
redis.call('HSET', recordKey, 'next', entry)
return {'requeued', record[2]}
