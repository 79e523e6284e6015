-- Removes a message from the outbox, records its outcome, and counts what it costs.
-- USES verification-session
-- NOT REPEATABLE: a dispatcher's calls have no deadline
-- KEYS  `outboxKey`  `recordKey` of the message  `dueKey` messages whose receipts are due  `deadLettersKey`
--       `sessionKey` of the message
--       `regionKey`, `seriesKey` and `blockKey` ranges of the number, see number-ranges.lua
--       `spendingKey`: spending of the day when the message was queued  `ledgerKey` today's ledger  `seriesNamesKey`
--       `gatewayCountsKey` messages and verified codes of gateways, by region
-- ARGV  `id` of the entry  `group` of consumers
--       `outcome`: "accepted", "dead", or "ended" if its session has ended  `now` (ms)  `recordLife` (ms)
--       `due`: when its receipt is due (ms), or ""  `maximumDeadLetters`: how many to keep
--       `gateway` that accepted it, or ""
--       `flags`: three digits, each 0 or 1: the number's ranges count the message; an earlier gateway had accepted it;
--       gateways are compared by their verified shares
--       `region` and `series` of the number  `place` in the ledger
--       `price`: what the gateway takes (millionths)  `unpaid`: what of it the send has not counted as spent; negative
--       if the send counted more
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

local isCounted, isSentAgain = string.sub(flags, 1, 1) == '1', string.sub(flags, 2, 2) == '1'
local session = redis.call('GET', sessionKey) or ''
if outcome == 'accepted' then
  local messages, countedMessages, before, after = string.match(session, SENT_SESSION)
  if messages then
    -- If the code is verified, the ledger credits the gateway that the session names, with all messages of the session.
    if isSentAgain then
      messages, countedMessages = messages + 1, countedMessages + (isCounted and 1 or 0)
    end
    redis.call('SET', sessionKey, 'open\n' .. messages .. '\n' .. countedMessages .. '\n' .. before .. gateway .. after,
      'KEEPTTL')
  end
end

-- A message counts in its ranges from the send on; one that is sent again, when its gateway accepts it. A message that
-- was not sent cannot be SMS pumping (toll fraud), nor can one to a user who entered the code: a used session has
-- credited all its messages.
local counted = 0
if isCounted and string.sub(session, 1, 5) ~= 'used\n' then
  if isSentAgain and outcome == 'accepted' then counted = 1 end
  if not isSentAgain and outcome ~= 'accepted' then counted = -1 end
end
if counted ~= 0 then
  -- USES number-ranges
  local keys = {regionKey, seriesKey, blockKey}
  countInRanges(keys, redis.call('MGET', unpack(keys)), tonumber(now), tonumber(halfLife), counted, 0)
end
if unpaid ~= '0' then
  redis.call('HINCRBY', spendingKey, region, unpaid)
  redis.call('PEXPIRE', spendingKey, '172800000')
end
if outcome == 'accepted' and not isSentAgain and string.sub(flags, 3) == '1' then
  -- USES number-ranges
  local field = region .. ':' .. gateway
  local counts = redis.call('HGET', gatewayCountsKey, field)
  redis.call('HSET', gatewayCountsKey, field, withCounts(counts, tonumber(now), tonumber(halfLife), 1, 0))
  redis.call('PEXPIRE', gatewayCountsKey, ledgerLife)
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
