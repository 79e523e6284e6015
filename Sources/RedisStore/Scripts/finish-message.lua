-- Removes a message from the outbox and records its outcome.
-- USES number-ranges
-- NOT REPEATABLE: a dispatcher's calls have no deadline
-- KEYS  `outboxKey`  `recordKey` of the message  `dueKey` messages whose receipts are due  `deadLettersKey`
--       `sessionKey` of the message  `regionKey`, `seriesKey`, `blockKey`: the number's ranges
--       `spendingKey` of the day when the message was queued  `ledgerKey` today's ledger
--       `seriesNamesKey` names of series
-- ARGV  `id` of the entry  `group` of consumers
--       `outcome`: "accepted", "dead", or "ended" if its session has ended  `now` (ms)  `recordLife` (ms)
--       `due`: when its receipt is due (ms), or ""  `maximumDeadLetters`: how many to keep
--       `gateway` that accepted it, or ""  `price` (millionths)  `reserved`: price that was reserved (millionths)
--       `isCounted`: whether the ranges count it (0 | 1)  `rangeHalfLife` (ms)  `region`  `series`
--       `sealedSeries`: the series' name  `ledgerLife` (ms)
--       `fields`… names and values of the record's other fields
-- RETURNS  1 | 0: the message was removed before
-- Atomic: a message that is no longer in the outbox has a record. The keys of ranges, spending and ledger have other
-- hash tags: on a Redis Cluster their part would be a separate, later call.

redis.call('XACK', outboxKey, group, id)
if redis.call('XDEL', outboxKey, id) == 0 then return 0 end

redis.call('HSET', recordKey, 'state', outcome, outcome .. '-at', now, unpack(fields))
redis.call('PEXPIRE', recordKey, recordLife)
if due ~= '' then redis.call('ZADD', dueKey, due, id) end
if outcome == 'dead' then
  redis.call('XADD', deadLettersKey, 'MAXLEN', '~', maximumDeadLetters, '*', 'message', id, unpack(fields))
end

price = outcome == 'accepted' and tonumber(price) or 0
if price ~= tonumber(reserved) then
  redis.call('HINCRBY', spendingKey, region, price - reserved)
  redis.call('PEXPIRE', spendingKey, 2 * 86400000)
end
if outcome == 'accepted' then
  -- The ledger learns from the session which gateway's message was verified.
  if redis.call('HGET', sessionKey, 'state') == 'open' then redis.call('HSET', sessionKey, 'gateway', gateway) end
  local place = region .. ':' .. series .. ':' .. gateway
  redis.call('HINCRBY', ledgerKey, 'sent:' .. place, 1)
  redis.call('HINCRBY', ledgerKey, 'spent:' .. place, price)
  redis.call('PEXPIRE', ledgerKey, ledgerLife)
  redis.call('HSETNX', seriesNamesKey, series, sealedSeries)
  redis.call('PEXPIRE', seriesNamesKey, ledgerLife)
elseif isCounted == '1' then
  -- A message that was not sent cannot be SMS pumping (toll fraud).
  countInRanges(readRanges({regionKey, seriesKey, blockKey}, tonumber(now), tonumber(rangeHalfLife)), -1, 0)
end
return 1
