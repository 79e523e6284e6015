-- Postpones a dispatcher's item: it waits in the outbox until a dispatcher may take it again.
-- KEYS  1 outbox   2 waiting items
-- ARGV  1 consumer group  2 dispatcher  3 entry id  4 shortest wait (ms)  5 state of the item to keep
-- RETURNS  1 | 0: the item is no longer the dispatcher's, because it was finished, postponed or taken over
-- Atomic: an item is either pending at one dispatcher or waiting, never both. Its entry stays in the stream under the
-- same id, by which gateways recognize a message that they already have.
-- Due times use Redis's clock, so that dispatchers on several machines agree.

local pending = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1)[1]
if not pending or pending[2] ~= ARGV[2] then return 0 end
local time = redis.call('TIME')
local due = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[4]
redis.call('ZADD', KEYS[2], string.format('%.0f', due), ARGV[3] .. ' ' .. ARGV[5])
redis.call('XACK', KEYS[1], ARGV[1], ARGV[3])
return 1
