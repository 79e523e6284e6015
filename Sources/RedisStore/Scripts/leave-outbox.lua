-- Removes a dispatcher from the group that reads an outbox, unless items are still pending at it: they would be lost.
-- KEYS  1 outbox
-- ARGV  1 consumer group  2 dispatcher
-- RETURNS  1 if it left, else 0
-- Atomic: no item becomes the dispatcher's in between.

if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2]) > 0 then return 0 end
redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
return 1
