-- Replaces a field with another field or a new value, unless it changed since the caller read it (compare and set).
-- USES full-memory
-- NOT REPEATABLE: for operators' commands, which have no deadline
-- KEYS  `hashKey`
-- ARGV  `field` that the caller read  `value` of it  `newField`  `newValue`
-- RETURNS  1 if it was replaced, else 0

if redis.call('HGET', hashKey, field) ~= value then return 0 end
writeWhenMemoryIsFull(hashKey)
-- Adds before it removes: see "Keys that move" in LuaFile.swift.
redis.call('HSET', hashKey, newField, newValue)
if newField ~= field then redis.call('HDEL', hashKey, field) end
return 1
