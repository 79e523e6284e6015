-- Removes a dispatcher from an outbox's consumer group, unless it has pending items: they would be lost.
-- KEYS  1 outbox
-- ARGV  1 consumer group  2 dispatcher
-- RETURNS  1 if the dispatcher was removed, else 0
-- Atomic: the dispatcher cannot receive an item concurrently.

if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2]) > 0 then return 0 end
redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
return 1
