-- Returns the debt of a range of numbers.
-- USES number-ranges
-- REPEATABLE: it only reads
-- KEYS  `rangeKey`
-- ARGV  `now` (ms)  `halfLife` (ms)  `credit` of a verified message (hundredths of a message)
-- RETURNS  the debt in messages, rounded up

local ranges = readRanges({rangeKey}, tonumber(now), tonumber(halfLife))
return math.ceil(debt(ranges[1], credit / 100))
