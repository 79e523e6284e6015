-- Counts a message to a range of numbers before the message is queued, and reserves its price in the day's spending on
-- a region.
-- USES number-ranges
-- REPEATABLE: a second execution counts too much, until it is forgotten, and never too little
-- KEYS  `rangeKey`  `spendingKey` of today on the shard's regions; for a narrower range `rangeKey` again
-- ARGV  `now` (ms)  `halfLife` (ms)  `region`
--       `price` (millionths): "0" to read the spending only, "" if it does not matter or the range is no region
-- RETURNS  {range without this message, see number-ranges.lua, or "", spending without this message (millionths)}
-- A number's ranges are in different slots, so there is a call for each. TollFraudVerdict.swift decides on the replies
-- of all. correct-range.lua takes the message back if it is not queued. A worker that dies before that leaves a message
-- too many.

local before, spent = countInRange(rangeKey, tonumber(now), tonumber(halfLife), 10000, 0), 0
if price == '0' then
  spent = tonumber(redis.call('HGET', spendingKey, region) or 0)
elseif price ~= '' then
  spent = redis.call('HINCRBY', spendingKey, region, price) - price
  redis.call('PEXPIRE', spendingKey, '172800000')
end
return {before or '', spent}
