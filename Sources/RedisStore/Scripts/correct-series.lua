-- Corrects what reserve-series.lua counted in series of one slot: takes back messages that were not sent, or counts
-- messages as verified, also in the ledger.
-- USES number-ranges
-- NOT REPEATABLE: a second execution would undercount. After a lost call the count stays too high until it decays.
-- KEYS  `ledgerKey` today's ledger of the series' shard  `seriesKeys`… ranges of the series, which may repeat
-- ARGV  `now` (ms)  `halfLife` (ms)  `ledgerLife` (ms)
--       `corrections`… five for each series: block, sent messages to add, -1 to take one back, verified messages to
--       add, place in the ledger (region, series and gateway), and verified messages to add there
-- RETURNS  1

now, halfLife = tonumber(now), tonumber(halfLife)
local life = string.format('%d', 4 * halfLife)
local isInLedger = false
for i, key in ipairs(seriesKeys) do
  local block, sent, verified, place, verifiedInLedger = unpack(corrections, 5 * i - 4, 5 * i)
  if sent ~= '0' or verified ~= '0' then
    local before = redis.call('HMGET', key, 'all', block)
    -- The first write needs no memory.
    local exists = redis.call('PEXPIRE', key, life) == 1
    local ofSeries = withCounts(before[1], now, halfLife, 10000 * sent, 10000 * verified)
    local ofBlock = withCounts(before[2], now, halfLife, 10000 * sent, 10000 * verified)
    if ofSeries and ofBlock then
      redis.call('HSET', key, 'all', ofSeries, block, ofBlock)
    else
      redis.call('HDEL', key, ofSeries and '' or 'all', ofBlock and '' or block)
      if ofSeries then redis.call('HSET', key, 'all', ofSeries) end
      if ofBlock then redis.call('HSET', key, block, ofBlock) end
    end
    if not exists then redis.call('PEXPIRE', key, life) end
  end
  if verifiedInLedger ~= '0' then
    -- This may be the first write: see full-memory.lua.
    if not isInLedger then redis.call('HDEL', ledgerKey, '') end
    isInLedger = true
    redis.call('HINCRBY', ledgerKey, 'verified:' .. place, verifiedInLedger)
  end
end
if isInLedger then redis.call('PEXPIRE', ledgerKey, ledgerLife) end
return 1
