-- Returns the name of the sorted set of anonymous accounts in a project's shard, by the time (ms) when each was last
-- known to be used. `users` is the set of all accounts. An account that is no longer anonymous may still be in the
-- sorted set.
local function anonymousUsers(users) return users .. ':anonymous' end
