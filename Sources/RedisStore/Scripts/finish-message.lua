-- Removes a message from the outbox and records its outcome.
-- NOT REPEATABLE: a dispatcher's calls have no deadline
-- KEYS  `outboxKey`  `recordKey` of the message  `dueKey` messages whose receipts are due  `deadLettersKey`
--       `sessionKey` of the message
-- ARGV  `id` of the entry  `group` of consumers
--       `outcome`: "accepted", "dead", or "ended" if its session has ended  `now` (ms)  `recordLife` (ms)
--       `due`: when its receipt is due (ms), or ""  `maximumDeadLetters`: how many to keep
--       `gateway` that accepted it, or ""
--       `again`: "" unless an earlier gateway had accepted it; then whether its ranges count it (0 | 1)
--       `fields`… names and values of the record's other fields
-- RETURNS  1 | 2: the same, and a correct code has credited all messages of the session, including this one, which was
--          not sent | 3: the same, and this message was sent again after the correct code, which has not credited it
--          | 0: the message was removed before
-- Atomic: a message that is no longer in the outbox has a record.
-- Ranges, spending and ledger are in other slots. Earlier calls count what the message costs. Later calls take back
-- what was reserved but not used, or counted for a message that another dispatcher has finished. A dispatcher that dies
-- in between leaves counts that are too high, never too low.

redis.call('XACK', outboxKey, group, id)
if redis.call('XDEL', outboxKey, id) == 0 then return 0 end

redis.call('HSET', recordKey, 'state', outcome, outcome .. '-at', now, unpack(fields))
redis.call('PEXPIRE', recordKey, recordLife)
if due ~= '' then redis.call('ZADD', dueKey, due, id) end
if outcome == 'dead' then
  redis.call('XADD', deadLettersKey, 'MAXLEN', '~', maximumDeadLetters, '*', 'message', id, unpack(fields))
end

local session = redis.call('HMGET', sessionKey, 'state', 'messages', 'counted')
if outcome == 'accepted' and session[1] == 'open' then
  -- If the code is verified, the ledger credits the gateway that the session names, with all messages of the session.
  redis.call('HSET', sessionKey, 'gateway', gateway)
  if again ~= '' then
    -- A missing count of messages means 1, see send-verification-code.lua.
    redis.call('HSET', sessionKey, 'messages', (session[2] or 1) + 1, 'counted', (session[3] or 1) + again)
  end
end
if session[1] == 'used' then
  if outcome == 'ended' and again == '' then return 2 end
  if outcome == 'accepted' and again == '1' then return 3 end
end
return 1
