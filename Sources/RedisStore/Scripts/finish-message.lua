-- Removes a message from the outbox, records its outcome, and counts what it costs.
-- NOT REPEATABLE: a dispatcher's calls have no deadline
-- KEYS  `outboxKey`  `recordKey` of the message  `dueKey` messages whose receipts are due  `deadLettersKey`
--       `sessionKey` of the message  `regionKey` and `seriesKey` ranges of the number, see number-ranges.lua
--       `spendingKey`: spending of the day when the message was queued  `ledgerKey` today's ledger  `seriesNamesKey`
-- ARGV  `id` of the entry  `group` of consumers
--       `outcome`: "accepted", "dead", or "ended" if its session has ended  `now` (ms)  `recordLife` (ms)
--       `due`: when its receipt is due (ms), or ""  `maximumDeadLetters`: how many to keep
--       `gateway` that accepted it, or ""
--       `flags`: two digits, each 0 or 1: the number's ranges count the message; an earlier gateway had accepted it
--       `region`, `series` and `block` of the number  `place` in the ledger
--       `price`: what the gateway takes (millionths)  `unreserved`: what of it is not reserved; negative if too much is
--       `sealedSeries`: the series' name, or ""  `halfLife` of ranges (ms)  `ledgerLife` (ms)
--       `fields`… names and values of the record's other fields
-- RETURNS  1 | 0: the message was removed before
-- Atomic: a message that is no longer in the outbox has a record, and is counted.

redis.call('XACK', outboxKey, group, id)
if redis.call('XDEL', outboxKey, id) == 0 then return 0 end

redis.call('HSET', recordKey, 'state', outcome, outcome .. '-at', now, unpack(fields))
redis.call('PEXPIRE', recordKey, recordLife)
if due ~= '' then redis.call('ZADD', dueKey, due, id) end
if outcome == 'dead' then
  redis.call('XADD', deadLettersKey, 'MAXLEN', '~', maximumDeadLetters, '*', 'message', id, unpack(fields))
end

local isCounted, isSentAgain = string.sub(flags, 1, 1) == '1', string.sub(flags, 2) == '1'
local session = redis.call('HMGET', sessionKey, 'state', 'messages', 'counted')
if outcome == 'accepted' and session[1] == 'open' then
  -- If the code is verified, the ledger credits the gateway that the session names, with all messages of the session.
  redis.call('HSET', sessionKey, 'gateway', gateway)
  if isSentAgain then
    redis.call('HSET', sessionKey, 'messages', session[2] + 1, 'counted', session[3] + (isCounted and 1 or 0))
  end
end

-- A message counts in its ranges from the send on; one that is sent again, when its gateway accepts it. A message that
-- was not sent cannot be SMS pumping (toll fraud), nor can one to a user who entered the code: a used session has
-- credited all its messages.
local counted = 0
if isCounted and session[1] ~= 'used' then
  if isSentAgain and outcome == 'accepted' then counted = 1 end
  if not isSentAgain and outcome ~= 'accepted' then counted = -1 end
end
if counted ~= 0 then
  -- USES number-ranges
  countInRanges(regionKey, seriesKey, block, tonumber(now), tonumber(halfLife), counted, 0)
end
if unreserved ~= '0' then
  redis.call('HINCRBY', spendingKey, region, unreserved)
  redis.call('PEXPIRE', spendingKey, '172800000')
end
if outcome == 'accepted' then
  redis.call('HINCRBY', ledgerKey, 'sent:' .. place, '1')
  if price ~= '0' then redis.call('HINCRBY', ledgerKey, 'spent:' .. place, price) end
  redis.call('PEXPIRE', ledgerKey, ledgerLife)
  if sealedSeries ~= '' then
    redis.call('HSETNX', seriesNamesKey, series, sealedSeries)
    redis.call('PEXPIRE', seriesNamesKey, ledgerLife)
  end
end
return 1
