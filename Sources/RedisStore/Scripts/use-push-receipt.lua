-- Takes a push receipt as proof, and starts its life anew.
-- KEYS  1 receipt
-- ARGV  1 now (ms)  2 project  3 bundle id  4 receipts issued before are revoked (ms)  5 life of a receipt in use (ms)
-- RETURNS  {"unknown"} | {"good", environment, 1 if it is the first use}

local receipt = redis.call('HMGET', KEYS[1], 'project', 'bundle', 'environment', 'issued', 'used')
if receipt[1] ~= ARGV[2] or receipt[2] ~= ARGV[3] or tonumber(receipt[4]) < tonumber(ARGV[4]) then return {'unknown'} end
redis.call('HSET', KEYS[1], 'used', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return {'good', receipt[3], receipt[5] and 0 or 1}
