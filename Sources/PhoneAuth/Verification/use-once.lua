-- Uses up a single-use item, so that it cannot be replayed: a temporary proof or a Play Integrity token.
-- REPEATABLE: the mark stores the request id and the time
-- KEYS  `usedKey` mark of a use
-- ARGV  `now` (ms)  `request` id  `markLife` (ms)
-- RETURNS  1 | 0: another request used it
-- The same request id may use the item again, see repeated-request.lua.

local use = redis.call('GET', usedKey)
if use then
  -- USES repeated-request
  local user, time = string.match(use, '^(.*) (%d+)$')
  if user ~= request or not isRepeatable(time) then return 0 end
end
redis.call('SET', usedKey, use or request .. ' ' .. now, 'PX', markLife)
return 1
