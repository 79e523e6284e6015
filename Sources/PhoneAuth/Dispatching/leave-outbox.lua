-- Removes a dispatcher from an outbox's consumer group, unless it has pending items: they would be lost.
-- NOT REPEATABLE: a dispatcher's calls have no deadline
-- KEYS  `outboxKey`
-- ARGV  `group` of consumers  `dispatcher`
-- RETURNS  1 if the dispatcher was removed, else 0
-- Atomic: the dispatcher cannot receive an item concurrently.

if #redis.call('XPENDING', outboxKey, group, '-', '+', 1, dispatcher) > 0 then return 0 end
redis.call('XGROUP', 'DELCONSUMER', outboxKey, group, dispatcher)
return 1
