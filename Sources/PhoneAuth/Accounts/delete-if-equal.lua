-- Deletes a key if it still has the expected value (compare and delete).
-- REPEATABLE: each attempt has its own value
-- KEYS  `key`
-- ARGV  `expected` value
-- RETURNS  1 if it was deleted, else 0

if redis.call('GET', key) == expected then return redis.call('DEL', key) end
return 0
