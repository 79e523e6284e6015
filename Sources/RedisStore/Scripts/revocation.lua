-- When an account's tokens are revoked. The scripts that verify tokens begin with this text.
--
-- An account counts its revocations in its field `revocation`. The counter of a new account starts at a random number,
-- so that it never has a value that an earlier account of the same uid had. ID tokens and sessions carry the counter's
-- value of the time when they were issued, and are revoked once it has another one: neither the clocks of workers nor
-- the length of a second matter. Tokens and accounts of the version before the counter have none; an account without
-- the field counts as 0.

-- Explicit times may lie in the future. Otherwise valid-since is a time of another worker's clock; Store.swift bounds
-- the difference (s).
local CLOCK_TOLERANCE = 30

-- Whether what was issued at a time (s) under a counter, false where it carries none, is revoked. `state` holds the
-- account's fields revocation and valid-since. Once an account counts, what carries no counter is revoked: it would
-- escape the comparison.
local function isRevoked(state, revocation, issued)
  local validSince = tonumber(state[2] or 0)
  if not revocation then return state[1] ~= false or issued < validSince end
  return (state[1] or '0') ~= revocation or issued < validSince - CLOCK_TOLERANCE
end
