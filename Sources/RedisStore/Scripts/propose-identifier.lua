-- Notes in an account that it is about to get an identifier, before that is claimed for it.
-- KEYS  1 account     ARGV  1 kind  2 claim  3 sealed identifier  4 uid
-- RETURNS  "proposed" | "no-account" | "revoked": the ID token

if redis.call('HEXISTS', KEYS[1], 'created') == 0 then return 'no-account' end
if isTokenRevoked(KEYS[1], ARGV[4]) then return 'revoked' end
redis.call('HSET', KEYS[1], 'pending-' .. ARGV[1] .. '-claim', ARGV[2], 'pending-' .. ARGV[1], ARGV[3])
return 'proposed'
