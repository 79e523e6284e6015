-- Deletes a key if it still has the expected value (compare and delete).
-- KEYS  1 key     ARGV  1 expected value     RETURNS  1 if it was deleted, else 0

if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
