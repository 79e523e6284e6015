-- Corrects what reserve-region.lua counted: takes back messages that were not sent, or their price, or counts messages
-- as verified.
-- USES full-memory, region-ranges
-- NOT REPEATABLE: a second execution would undercount. After a lost call the count stays too high until it decays.
-- KEYS  `regionKey`  `spendingKey`: spending on the shard's regions on the message's day
-- ARGV  `now` (ms)  `halfLife` (ms)  `sent` messages to add, negative to take some back  `verified` messages to add
--       `region`  `price` to add to its spending (millionths)
-- RETURNS  1

if sent ~= '0' or verified ~= '0' then
  countInRegion(regionKey, tonumber(now), tonumber(halfLife), 10000 * sent, 10000 * verified)
end
if price ~= '0' then
  writeWhenMemoryIsFull(spendingKey)
  redis.call('HINCRBY', spendingKey, region, price)
  redis.call('PEXPIRE', spendingKey, '172800000')
end
return 1
