-- Postpones a dispatcher's item: it waits in the outbox until a dispatcher may take it again.
-- NOT REPEATABLE: a dispatcher's calls have no deadline
-- KEYS  `outboxKey`  `waitingKey` waiting items
-- ARGV  `group` of consumers  `dispatcher`  `id` of the entry  `delay`: shortest wait (ms)  `state` of the item to keep
-- RETURNS  1 | 0: the item is no longer the dispatcher's, because it was finished, postponed or taken over
-- Atomic: an item is either pending at one dispatcher or waiting, never both. Its entry stays in the stream under the
-- same id, so that gateways recognize a message that they already have.
-- Due times use Redis's clock, so that dispatchers on several machines agree.

local pending = redis.call('XPENDING', outboxKey, group, id, id, 1)[1]
if not pending or pending[2] ~= dispatcher then return 0 end
local time = redis.call('TIME')
local due = time[1] * 1000 + math.floor(time[2] / 1000) + delay
redis.call('ZADD', waitingKey, string.format('%.0f', due), id .. ' ' .. state)
redis.call('XACK', outboxKey, group, id)
return 1
