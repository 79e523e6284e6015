-- Takes a message off the outbox, and leaves what became of it.
-- KEYS  1 outbox   2 record of the message   3 messages whose receipts are due   4 dead letters
-- ARGV  1 entry id  2 consumer group  3 outcome: "accepted", "dead", or "ended" when its session has  4 now (ms)
--       5 life of the record (ms)  6 when its receipt is due (ms), or ""  7 dead letters to keep
--       8… names and values of what is known of the message
-- RETURNS  1, or 0 if the message was taken off before
-- Atomic: a message that is off the outbox has left its record, unless nothing was to be sent.

local id, outcome, now, due = ARGV[1], ARGV[3], ARGV[4], ARGV[6]
redis.call('XACK', KEYS[1], ARGV[2], id)
if redis.call('XDEL', KEYS[1], id) == 0 then return 0 end
if outcome == 'ended' then return 1 end

redis.call('HSET', KEYS[2], 'state', outcome, outcome .. '-at', now, unpack(ARGV, 8))
redis.call('PEXPIRE', KEYS[2], ARGV[5])
if due ~= '' then redis.call('ZADD', KEYS[3], due, id) end
if outcome == 'dead' then
  redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[7], '*', 'message', id, unpack(ARGV, 8))
end
return 1
