-- Counts an event in rate limits of one hash tag, if each of them has room for it. reserve.lua does it for one limit.
-- USES sliding-windows
-- REPEATABLE: the windows store the event
-- KEYS  `limitKeys`… one per limit. A key with two windows appears twice, the longer window last.
-- ARGV  `now` (ms)  `event`: its id  `bounds`… window (ms) and maximum for each key
-- RETURNS  {"reserved", for each limit: events in its window with this one, 1 if this call counted it, else 0}
--          | {"limited", for each limit without room: its index, events in its window, retry after (ms)}
-- Atomic: the event is counted in all of these limits or in none. An event that counts in limits of several hash tags
-- has a call for each. If one is refused, release-reservation.lua takes the event out of the others. If that call is
-- lost, they count one event too many until their windows end.
-- Idempotent: the front end may retry a request whose worker died. An event is counted once, and only the call that
-- counted it may release it.

return reserve(readLimits(limitKeys, bounds, {'window', 'maximum'}), tonumber(now), event)
