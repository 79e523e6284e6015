-- Replaces a field with another field or a new value, unless it changed since the caller read it (compare and set).
-- NOT REPEATABLE: for operators' commands, which have no deadline
-- KEYS  `hashKey`
-- ARGV  `field` that the caller read  `value` of it  `newField`  `newValue`
-- RETURNS  1 if it was replaced, else 0

if redis.call('HGET', hashKey, field) ~= value then return 0 end
redis.call('HDEL', hashKey, field)
redis.call('HSET', hashKey, newField, newValue)
return 1
