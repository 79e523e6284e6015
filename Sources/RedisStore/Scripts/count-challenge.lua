-- Counts a challenge that a network was given.
-- KEYS  1 challenges of the network   2 mark of networks whose clients must solve the hard challenge
-- ARGV  1 window (ms)
-- RETURNS  {how many there were in the window before this one, 1 if it must be hard, else 0}
-- The window begins with the first challenge and does not slide: the count decides about a second of work, nothing else.

local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count - 1, redis.call('EXISTS', KEYS[2])}
