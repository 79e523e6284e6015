-- Queues an e-mail again that no gateway accepted, for all gateways, unless its link has expired.
-- NOT REPEATABLE: an operator's command has a deadline of its own
-- KEYS  `deadMailsKey`  `outboxKey`  `recordKey` of the e-mail
-- ARGV  `id` of the dead e-mail  `now` (ms)
-- RETURNS  "requeued" | "unknown" | "over" if the link has expired
-- Atomic: an e-mail is requeued once, and is either dead or in the outbox.

local entry = redis.call('XRANGE', deadMailsKey, id, id)[1]
if not entry then return 'unknown' end
local mail = {}
for i = 1, #entry[2], 2 do mail[entry[2][i]] = entry[2][i + 1] end
if tonumber(now) >= tonumber(mail.expires) then return 'over' end
local new = redis.call('XADD', outboxKey, '*', 'mail', mail.mail, 'kind', mail.kind, 'queued', mail.queued,
  'expires', mail.expires)
redis.call('HSET', recordKey, 'next', new)
redis.call('XDEL', deadMailsKey, id)
return 'requeued'
