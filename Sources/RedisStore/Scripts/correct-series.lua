-- Corrects what reserve-series.lua counted: takes back a message that was not sent, or counts a message as verified,
-- also in the ledger.
-- USES full-memory, number-ranges
-- NOT REPEATABLE: a second execution would count too little. What a lost call leaves is too much until it is forgotten.
-- KEYS  `seriesKey` ranges of the series  `ledgerKey` today's ledger of the series' shard
-- ARGV  `now` (ms)  `halfLife` (ms)  `block`  `sent` messages to add, -1 to take one back  `verified` messages to add
--       `place` in the ledger: region, series and gateway  `verifiedInLedger`: messages to add there  `ledgerLife` (ms)
-- RETURNS  1

if sent ~= '0' or verified ~= '0' then
  countInSeries(seriesKey, block, tonumber(now), tonumber(halfLife), 10000 * sent, 10000 * verified)
end
if verifiedInLedger ~= '0' then
  writeWhenMemoryIsFull(ledgerKey)
  redis.call('HINCRBY', ledgerKey, 'verified:' .. place, verifiedInLedger)
  redis.call('PEXPIRE', ledgerKey, ledgerLife)
end
return 1
