-- Counts a challenge that a client requested.
-- USES executed-calls
-- REPEATABLE: executed-calls.lua
-- KEYS  `challengedKey` mark of networks whose clients must solve the hard challenge
--       `challengesKeys`… challenges of each network of the client
-- ARGV  `window` (ms)  `allowances`… for each network: how many challenges weigh as one in the narrowest network
-- RETURNS  {challenges in the window before this one, 1 if this one must be hard, else 0}
-- The window is fixed and begins with the first challenge: the count only decides about a second of work.

local before = executedBefore()
if before then return {before.most, redis.call('EXISTS', challengedKey)} end
local most = 0
for i, key in ipairs(challengesKeys) do
  local count = redis.call('INCR', key)
  if count == 1 then redis.call('PEXPIRE', key, window) end
  most = math.max(most, math.floor((count - 1) / allowances[i]))
end
rememberExecution({most = most})
return {most, redis.call('EXISTS', challengedKey)}
