-- Counts a challenge that a client requested.
-- KEYS  1 mark of networks whose clients must solve the hard challenge   2… challenges of each network of the client
-- ARGV  1 window (ms)  2… for each network: how many challenges weigh as one in the narrowest network
-- RETURNS  {challenges in the window before this one, 1 if this one must be hard, else 0}
-- The window is fixed and begins with the first challenge: the count only decides about a second of work.
-- A resent call is counted once.

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
