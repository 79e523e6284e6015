-- Notes in an account that it is about to get an identifier, before that is claimed for it.
-- KEYS  1 account     ARGV  1 kind  2 claim  3 sealed identifier     RETURNS  1, or 0 where there is no account

if redis.call('HEXISTS', KEYS[1], 'created') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'pending-' .. ARGV[1] .. '-claim', ARGV[2], 'pending-' .. ARGV[1], ARGV[3])
return 1
