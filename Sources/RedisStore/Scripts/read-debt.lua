-- Tells what a range owes.
-- KEYS  1 range
-- ARGV  1 now (ms)  2 half-life (ms)  3 what a verified message makes up for (hundredths of a message)
-- RETURNS  so many messages, rounded up

return math.ceil(debt(readRange(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])), tonumber(ARGV[3]) / 100))
