-- Counts a challenge that a client requested, in one of its networks.
-- USES executed-calls
-- REPEATABLE: executed-calls.lua
-- KEYS  `challengesKey` of the network
-- ARGV  `window` (ms)
-- RETURNS  challenges in the window before this one
-- The window is fixed and begins with the first challenge, which suffices: the count only decides about a second of
-- work. A client in several networks has a call for each.

local before = executedBefore()
if before then return before.count end
local count = redis.call('INCR', challengesKey)
if count == 1 then redis.call('PEXPIRE', challengesKey, window) end
rememberExecution({count = count - 1})
return count - 1
