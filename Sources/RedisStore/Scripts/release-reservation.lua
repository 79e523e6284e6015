-- Takes an event out of the rate limits that counted it, see reserve.lua: another limit refused it, or its outcome does
-- not count, such as a request that created no account.
-- REPEATABLE: after the first call the keys no longer have the event
-- KEYS  `limitKeys`… of limits that store each event
-- ARGV  `event`: its id
-- RETURNS  1

for _, key in ipairs(limitKeys) do redis.call('ZREM', key, event) end
return 1
