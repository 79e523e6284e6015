-- Uses up a single-use item, so that it cannot be replayed: a temporary proof or a Play Integrity token.
-- REPEATABLE: the mark stores the request id
-- KEYS  `usedKey` mark of a use
-- ARGV  `request` id  `markLife` (ms)
-- RETURNS  1 | 0: another request used it
-- The front end may retry a request whose worker died. The same request id may use the item again.

local user = redis.call('GET', usedKey)
if user and user ~= request then return 0 end
redis.call('SET', usedKey, request, 'PX', markLife)
return 1
