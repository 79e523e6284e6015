-- Counts a message to a series and to one of its blocks before the message is queued.
-- USES number-ranges
-- REPEATABLE: a second execution counts too much, until it is forgotten, and never too little
-- KEYS  `seriesKey` ranges of the series  `formerSeriesKey`: the series in the version that kept blocks elsewhere
-- ARGV  `now` (ms)  `halfLife` (ms)  `block`
-- RETURNS  {series and block without this message, see number-ranges.lua, or "", and the former series or ""}
-- correct-series.lua takes the message back if it is not queued.

local before = countInSeries(seriesKey, block, tonumber(now), tonumber(halfLife), 10000, 0)
return {before[1] or '', before[2] or '', redis.call('GET', formerSeriesKey) or ''}
