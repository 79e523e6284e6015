-- Corrects what reserve-series.lua counted in series of one slot: takes back messages that were not sent, or counts
-- messages as verified, also in the ledger.
-- USES full-memory, number-ranges
-- NOT REPEATABLE: a second execution would count too little. What a lost call leaves is too much until it is forgotten.
-- KEYS  `ledgerKey` today's ledger of the series' shard  `seriesKeys`… ranges of the series, which may repeat
-- ARGV  `now` (ms)  `halfLife` (ms)  `ledgerLife` (ms)
--       `corrections`… five for each series: block, sent messages to add, -1 to take one back, verified messages to
--       add, place in the ledger (region, series and gateway), and verified messages to add there
-- RETURNS  1

now, halfLife = tonumber(now), tonumber(halfLife)
local isInLedger = false
for i, key in ipairs(seriesKeys) do
  local block, sent, verified, place, verifiedInLedger = unpack(corrections, 5 * i - 4, 5 * i)
  if sent ~= '0' or verified ~= '0' then
    countInSeries(key, block, now, halfLife, 10000 * sent, 10000 * verified)
  end
  if verifiedInLedger ~= '0' then
    if not isInLedger then writeWhenMemoryIsFull(ledgerKey) end
    isInLedger = true
    redis.call('HINCRBY', ledgerKey, 'verified:' .. place, verifiedInLedger)
  end
end
if isInLedger then redis.call('PEXPIRE', ledgerKey, ledgerLife) end
return 1
