-- Requests that are repeated: by the front end because their worker died, or by the client under its idempotency key.
-- ARGV  `now` (ms)

-- Returns whether a request may be repeated: for a minute after its first execution, by the workers' clocks.
local function isRepeatable(first) return now - first <= 60000 end
