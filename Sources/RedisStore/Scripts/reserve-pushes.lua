-- Counts a push to a device for which APNs may have accepted no push yet, in the networks of the client: the client may
-- have invented the device token. The push counts as one to a bad token from the start, so that concurrent requests
-- cannot exceed the maximum. record-unproven-push.lua ends or extends the count once APNs has responded.
-- USES sliding-windows
-- REPEATABLE: the networks store the receipt
-- KEYS  `limitKeys`… of networks in one slot: until when each receipt counts (ms)
-- ARGV  `now` (ms)  `receipt` id  `unprovenLife`: for how long it counts (ms)  `life` of a key (ms)
--       `maxima`… one for each key
-- RETURNS  as reserve-in-all.lua
-- Atomic: the push counts in all of these networks or in none.

local limits = {}
for i, key in ipairs(limitKeys) do
  limits[i] = {key = key, window = tonumber(unprovenLife), maximum = tonumber(maxima[i]), bucket = 0, life = life}
end
-- The receipt is stored under the time when its count ends, as an event at that time.
return reserve(limits, now + unprovenLife, receipt)
