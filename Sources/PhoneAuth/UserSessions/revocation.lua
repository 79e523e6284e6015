-- Revocation of an account's tokens. For scripts that verify tokens.
--
-- An account counts its revocations in its field `revocation`. ID tokens and sessions carry the value from when they
-- were issued, and are revoked once the account's value differs. The comparison depends neither on workers' clocks nor
-- on a resolution of seconds.
--
-- An account gets its counter with its first tokens, so that accounts whose users never sign in are smaller. The
-- counter starts at a random number between 2⁴⁸ and 2⁴⁹, so that it never equals a value of an earlier account with the
-- same uid. For the same reason, an account that is revoked before its first tokens gets a greater number, Redis's time
-- (µs).

-- The maximum difference between workers' clocks (s), see Store.swift. valid-since is the time of another worker's
-- clock, unless it was set explicitly. Explicit times may lie in the future.
local CLOCK_TOLERANCE = 30

-- Returns whether something issued at a time (s) under a counter is revoked. `state` holds the account's fields
-- revocation and valid-since.
local function isRevoked(state, revocation, issued)
  return state[1] ~= revocation or issued < tonumber(state[2] or 0) - CLOCK_TOLERANCE
end
