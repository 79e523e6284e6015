-- Revocation of an account's tokens. For scripts that verify tokens.
--
-- An account counts its revocations in its field `revocation`. ID tokens and sessions carry the value from when they
-- were issued, and are revoked once the account's value differs. The comparison depends neither on workers' clocks nor
-- on a resolution of seconds.
--
-- An account gets its counter with its first tokens, so that accounts whose users never sign in are smaller. The
-- counter starts at a random number between 2⁴⁸ and 2⁴⁹, so that it never equals a value of an earlier account with the
-- same uid. For the same reason, an account that is revoked before its first tokens gets a greater number, Redis's time
-- (µs). Tokens and accounts older than the counter have none; an account without the field counts as 0.

-- The maximum difference between workers' clocks (s), see Store.swift. valid-since is the time of another worker's
-- clock, unless it was set explicitly. Explicit times may lie in the future.
local CLOCK_TOLERANCE = 30

-- Returns whether something issued at a time (s) under a counter is revoked; the counter is false if it carries none.
-- `state` holds the account's fields revocation and valid-since. Once an account has a counter, anything without one is
-- revoked: otherwise it would escape the comparison.
local function isRevoked(state, revocation, issued)
  local validSince = tonumber(state[2] or 0)
  if not revocation then return state[1] ~= false or issued < validSince end
  return (state[1] or '0') ~= revocation or issued < validSince - CLOCK_TOLERANCE
end
