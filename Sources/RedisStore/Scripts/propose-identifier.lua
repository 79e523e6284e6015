-- Notes in an account that it is about to take an identifier, before the identifier is claimed.
-- KEYS  1 account
-- ARGV  1 kind  2 claim  3 sealed identifier  4 uid
--       5 now (s) if taking the identifier revokes the account's tokens, else ""
-- RETURNS  "proposed" | "no-account" | "revoked": the ID token | "too-old": the sign-in

if redis.call('HEXISTS', KEYS[1], 'created') == 0 then return 'no-account' end
if isTokenRevoked(KEYS[1], ARGV[4]) then return 'revoked' end
if isTooOldToLink(KEYS[1]) then return 'too-old' end
local pending = 'pending-' .. ARGV[1]
writeWhenMemoryIsFull(KEYS[1])
redis.call('HSET', KEYS[1], pending .. '-claim', ARGV[2], pending, ARGV[3])
if ARGV[5] ~= '' then
  redis.call('HSET', KEYS[1], pending .. '-revokes', ARGV[5])
else
  redis.call('HDEL', KEYS[1], pending .. '-revokes')
end
return 'proposed'
