-- Counts messages that gateways accepted in the ledger. correct-series.lua counts those that were verified.
-- USES full-memory
-- NOT REPEATABLE: it would count twice, and a dispatcher's calls have no deadline
-- KEYS  `ledgerKey` today's ledger of the series' shard  `seriesNamesKey` names of the shard's series
-- ARGV  `place`: region, series and gateway  `sent` messages and `spent` price (millionths) to add
--       `series`  `sealedSeries`: the series' name, or "" to give it none  `life` (ms)
-- RETURNS  1

writeWhenMemoryIsFull(ledgerKey)
if sent ~= '0' then redis.call('HINCRBY', ledgerKey, 'sent:' .. place, sent) end
if spent ~= '0' then redis.call('HINCRBY', ledgerKey, 'spent:' .. place, spent) end
redis.call('PEXPIRE', ledgerKey, life)
if sealedSeries ~= '' then
  redis.call('HSETNX', seriesNamesKey, series, sealedSeries)
  redis.call('PEXPIRE', seriesNamesKey, life)
end
return 1
