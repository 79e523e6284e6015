-- Counts messages to a region before they are queued, and reserves their price in the day's spending.
-- USES region-ranges
-- REPEATABLE: a second execution counts too many messages, until the count decays, and never too few
-- KEYS  `regionKey`  `spendingKey`: today's spending on the shard's regions
-- ARGV  `now` (ms)  `halfLife` (ms)  `region`
--       `messages` to count  `price` of all (millionths): "0" to read the spending only, "" if it does not matter
-- RETURNS  {"reserved", region without these messages, see number-ranges.lua, or "", spending without their price}
-- A number's region and series are in different slots, so there is a call for each: see reserve-series.lua.
-- TollFraudVerdict.swift decides based on both replies. correct-region.lua takes back messages that are not queued. If
-- a worker dies before that, the count stays too high until it decays.

local before, spent = countInRegion(regionKey, tonumber(now), tonumber(halfLife), 10000 * messages, 0), 0
if price == '0' then
  spent = tonumber(redis.call('HGET', spendingKey, region) or 0)
elseif price ~= '' then
  spent = redis.call('HINCRBY', spendingKey, region, price) - price
  redis.call('PEXPIRE', spendingKey, '172800000')
end
return {'reserved', before or '', spent}
