-- Queues a message or an e-mail again that no gateway accepted, for all gateways, while its session is open or its link
-- is valid.
-- NOT REPEATABLE: an operator's command has a deadline of its own
-- KEYS  `undeliverableKey`  `outboxKey`  `recordKey` of the message or e-mail  `sessionKeys`… the session of a message
-- ARGV  `id` of the undeliverable one  `now` (ms)
-- RETURNS  "requeued" | "unknown" | "over" if its link has expired, or the session no longer waits for the message
-- Atomic: a message is requeued once, and is either undeliverable or in the outbox.

local entry = redis.call('XRANGE', undeliverableKey, id, id)[1]
if not entry then return 'unknown' end
local fields, counted = {}, 0
for i = 1, #entry[2], 2 do
  local name, value = entry[2][i], entry[2][i + 1]
  if name == 'expires' and tonumber(now) >= tonumber(value) then return 'over' end
  if name == 'counted' then counted = tonumber(value) end
  if name ~= 'message' and name ~= 'tried' and name ~= 'reason' then
    fields[#fields + 1] = name
    fields[#fields + 1] = value
  end
end
for _, sessionKey in ipairs(sessionKeys) do
  -- Messages, counted messages, and the rest: see verification-session.lua.
  local session = redis.call('GET', sessionKey) or ''
  local messages, countedMessages, rest = string.match(session, '^open\n(%d+)\n(%d+)\n(.*)$')
  if not messages then return 'over' end
  -- Neither spending nor the ranges count the message now. They and the session count it when a gateway accepts it.
  redis.call('SET', sessionKey, 'open\n' .. math.max(0, messages - 1) .. '\n'
    .. math.max(0, countedMessages - counted) .. '\n' .. rest, 'KEEPTTL')
  fields[#fields + 1] = 'again'
  fields[#fields + 1] = '1'
end
redis.call('HSET', recordKey, 'next', redis.call('XADD', outboxKey, '*', unpack(fields)))
redis.call('XDEL', undeliverableKey, id)
return 'requeued'
