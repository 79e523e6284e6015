-- Removes an e-mail from the outbox and records its outcome.
-- NOT REPEATABLE: a dispatcher's calls have no deadline
-- KEYS  `outboxKey`  `recordKey` of the e-mail  `deadMailsKey`
-- ARGV  `id` of the entry  `group` of consumers  `outcome`: "accepted", "dead", "late" or "unaddressed"  `now` (ms)
--       `recordLife` (ms)  `maximumDeadMails`: how many to keep
--       `fields`… names and values of the record's other fields
-- RETURNS  1 | 0: the e-mail was removed before
-- Atomic: an e-mail that is no longer in the outbox has a record. A dead one keeps its content.

local entry = redis.call('XRANGE', outboxKey, id, id)[1]
redis.call('XACK', outboxKey, group, id)
if redis.call('XDEL', outboxKey, id) == 0 then return 0 end
redis.call('HSET', recordKey, 'state', outcome, outcome .. '-at', now, unpack(fields))
redis.call('PEXPIRE', recordKey, recordLife)
if outcome == 'dead' then
  local letter = {'message', id, unpack(fields)}
  for _, value in ipairs(entry[2]) do table.insert(letter, value) end
  redis.call('XADD', deadMailsKey, 'MAXLEN', '~', maximumDeadMails, '*', unpack(letter))
end
return 1
