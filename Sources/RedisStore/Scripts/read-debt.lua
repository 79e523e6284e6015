-- Returns the debt of a range of numbers.
-- KEYS  1 range
-- ARGV  1 now (ms)  2 half-life (ms)  3 credit of a verified message (hundredths of a message)
-- RETURNS  the debt in messages, rounded up

local ranges = readRanges(KEYS, tonumber(ARGV[1]), tonumber(ARGV[2]))
return math.ceil(debt(ranges[1], tonumber(ARGV[3]) / 100))
