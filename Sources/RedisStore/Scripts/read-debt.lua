-- Tells what a range owes.
-- KEYS  1 range
-- ARGV  1 now (ms)  2 half-life (ms)  3 what a verified message makes up for (hundredths of a message)
-- RETURNS  so many messages, rounded up

local ranges = readRanges(KEYS, tonumber(ARGV[1]), tonumber(ARGV[2]))
return math.ceil(debt(ranges[1], tonumber(ARGV[3]) / 100))
