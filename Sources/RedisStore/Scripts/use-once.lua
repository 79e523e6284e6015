-- Uses up something that is good for one use: a temporary proof, or a token of Play Integrity.
-- REPEATABLE: the mark has the request id
-- KEYS  `usedKey` mark of a use
-- ARGV  `request` id  `markLife` (ms)
-- RETURNS  1 | 0: another request used it
-- The front end may retry a request whose worker died. The same request id may use it again.

local user = redis.call('GET', usedKey)
if user and user ~= request then return 0 end
redis.call('SET', usedKey, request, 'PX', markLife)
return 1
