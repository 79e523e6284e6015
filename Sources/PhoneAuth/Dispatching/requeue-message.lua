-- Queues a message again that no gateway accepted, for all gateways, while its session is open.
-- NOT REPEATABLE: an operator's command has a deadline of its own
-- KEYS  `deadLettersKey`  `outboxKey`  `recordKey` of the message  `sessionKey`
-- ARGV  `id` of the dead letter  `now` (ms)
-- RETURNS  "requeued" | "unknown" | "over" if the session no longer waits for the message
-- Atomic: a message is requeued once, and is either a dead letter or in the outbox.

local entry = redis.call('XRANGE', deadLettersKey, id, id)[1]
if not entry then return 'unknown' end
local letter = {}
for i = 1, #entry[2], 2 do letter[entry[2][i]] = entry[2][i + 1] end
-- Messages, counted messages, and the rest: see verification-session.lua.
local session = redis.call('GET', sessionKey) or ''
local messages, countedMessages, rest = string.match(session, '^open\n(%d+)\n(%d+)\n(.*)$')
if not messages or tonumber(now) >= tonumber(letter.expires) then return 'over' end

-- Neither spending nor the ranges count the message now. They and the session count it when a gateway accepts it.
redis.call('SET', sessionKey, 'open\n' .. math.max(0, messages - 1) .. '\n'
  .. math.max(0, countedMessages - tonumber(letter.counted)) .. '\n' .. rest, 'KEEPTTL')
local new = redis.call('XADD', outboxKey, '*', 'session', letter.session, 'phone', letter.phone,
  'purpose', letter.purpose, 'locale', letter.locale, 'ending', letter.ending, 'queued', letter.queued,
  'expires', letter.expires, 'tried', '', 'counted', letter.counted, 'again', '1',
  'route', letter.route or '')
redis.call('HSET', recordKey, 'next', new)
redis.call('XDEL', deadLettersKey, id)
return 'requeued'
