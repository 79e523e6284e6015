-- Counts a challenge that a client was given.
-- KEYS  1 mark of networks whose clients must solve the hard challenge   2… challenges of each network of the client
-- ARGV  1 window (ms)  2… allowance of each network: how many challenges in it weigh as one in the narrowest
-- RETURNS  {how many there were in the window before this one, 1 if it must be hard, else 0}
-- The window begins with the first challenge and does not slide: the count decides about a second of work, nothing else.
-- A call that is sent again is counted once.

local before = executedBefore()
if before then return {before.most, redis.call('EXISTS', KEYS[1])} end
local most = 0
for i = 2, #KEYS do
  local count = redis.call('INCR', KEYS[i])
  if count == 1 then redis.call('PEXPIRE', KEYS[i], ARGV[1]) end
  most = math.max(most, math.floor((count - 1) / tonumber(ARGV[i])))
end
rememberExecution({most = most})
return {most, redis.call('EXISTS', KEYS[1])}
