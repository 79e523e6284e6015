-- Notes in an account that it is about to get a number, before the number is claimed for it.
-- KEYS  1 account     ARGV  1 claim  2 sealed number     RETURNS  1, or 0 where there is no account

if redis.call('HEXISTS', KEYS[1], 'created') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'pending-claim', ARGV[1], 'pending-phone', ARGV[2])
return 1
