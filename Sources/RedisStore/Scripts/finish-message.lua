-- Removes a message from the outbox and records its outcome.
-- KEYS  1 outbox   2 record of the message   3 messages whose receipts are due   4 dead letters   5 its session
--       6 range of the region, 7 of the series, 8 of the block   9 spending on the day when the message was queued
--       10 today's ledger   11 names of series
-- ARGV  1 entry id  2 consumer group  3 outcome: "accepted", "dead", or "ended" if its session has ended  4 now (ms)
--       5 life of the record (ms)  6 when its receipt is due (ms), or ""  7 dead letters to keep
--       8 gateway that accepted it, or ""  9 its price (millionths)  10 price that was reserved for it (millionths)
--       11 1 if the ranges count it, else 0  12 their half-life (ms)  13 region  14 series
--       15 sealed name of the series  16 life of the ledger (ms)  17… names and values of the record's other fields
-- RETURNS  1 | 0: the message was removed before
-- Atomic: a message that is no longer in the outbox has a record. Keys from 6 on have other hash tags: on a Redis
-- Cluster their part would be a separate, later call.

local id, outcome, now, due = ARGV[1], ARGV[3], ARGV[4], ARGV[6]
redis.call('XACK', KEYS[1], ARGV[2], id)
if redis.call('XDEL', KEYS[1], id) == 0 then return 0 end

redis.call('HSET', KEYS[2], 'state', outcome, outcome .. '-at', now, unpack(ARGV, 17))
redis.call('PEXPIRE', KEYS[2], ARGV[5])
if due ~= '' then redis.call('ZADD', KEYS[3], due, id) end
if outcome == 'dead' then
  redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[7], '*', 'message', id, unpack(ARGV, 17))
end

local price = outcome == 'accepted' and tonumber(ARGV[9]) or 0
if price ~= tonumber(ARGV[10]) then
  redis.call('HINCRBY', KEYS[9], ARGV[13], price - ARGV[10])
  redis.call('PEXPIRE', KEYS[9], 2 * 86400000)
end
if outcome == 'accepted' then
  -- The ledger learns from the session which gateway's message was verified.
  if redis.call('HGET', KEYS[5], 'state') == 'open' then redis.call('HSET', KEYS[5], 'gateway', ARGV[8]) end
  local place = ARGV[13] .. ':' .. ARGV[14] .. ':' .. ARGV[8]
  redis.call('HINCRBY', KEYS[10], 'sent:' .. place, 1)
  redis.call('HINCRBY', KEYS[10], 'spent:' .. place, price)
  redis.call('PEXPIRE', KEYS[10], ARGV[16])
  redis.call('HSETNX', KEYS[11], ARGV[14], ARGV[15])
  redis.call('PEXPIRE', KEYS[11], ARGV[16])
elseif ARGV[11] == '1' then
  -- A message that was not sent cannot be SMS pumping (toll fraud).
  countInRanges(readRanges({KEYS[6], KEYS[7], KEYS[8]}, tonumber(now), tonumber(ARGV[12])), -1, 0)
end
return 1
