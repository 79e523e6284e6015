-- Creates the code of an e-mail action in place of the address's earlier one, counts its e-mail in rate limits and
-- queues it, or refuses it.
-- USES rate-limits
-- REPEATABLE: the current code says that the call ran
-- KEYS  `currentKey`: the code that the address has for this kind of action, and its e-mail  `outboxKey`
--       `actionPrefix`: record of a code without its hash  `eventKey` of a counted e-mail  `limitKeys`… of the e-mail
-- ARGV  `now` (ms)  `code`: hash of the code  `kind` of action  `content` of the record, sealed
--       `mail`: content of the e-mail, sealed, or "" to send none  `recipient`: keyed hash of the e-mail's address
--       `life` of the code (ms)  `memory` of a code that has expired (ms)
--       `lockLife`: for how long a repeated request queues no e-mail (ms)
--       `mailLife`: longest life of an e-mail in the outbox (ms)
--       `bounds`… for each limit, see readLimits in rate-limits.lua
-- RETURNS  {"queued", entry or ""} | {"repeated"}: a recent e-mail has a code that is unused
--          | {"limited", for each limit without room: its index, the events that count, retry after (ms)}
-- Atomic: the code exists and its e-mail is queued and counted everywhere, or nothing changed.
-- The front end may retry a request whose worker died: it is repeated like the user's.

now = tonumber(now)
local former, sent, formerRecipient = string.match(redis.call('GET', currentKey) or '', '^(%S+) (%d+) (%S*)$')
if former == code then return {'queued', ''} end
local formerAction = former and redis.call('HMGET', actionPrefix .. former, 'expires', 'used-by') or {}
if mail ~= '' and formerRecipient == recipient and now - sent < tonumber(lockLife) and formerAction[1]
  and now < tonumber(formerAction[1]) and not formerAction[2] then
  return {'repeated'}
end
local limits = readLimits(limitKeys, bounds)
local refused = exceeded(limits, now)
if refused then return refused end

-- The first write needs no memory: see full-memory.lua.
redis.call('PEXPIRE', currentKey, life)
if #limits > 0 then redis.call('SET', eventKey, '1', 'PX', life) end
countInLimits(limits, now, code)
local action = actionPrefix .. code
redis.call('HSET', action, 'kind', kind, 'content', content, 'sent', string.format('%d', now),
  'expires', string.format('%d', now + life))
redis.call('PEXPIRE', action, string.format('%d', life + memory))
redis.call('SET', currentKey, string.format('%s %d %s', code, now, mail == '' and '' or recipient), 'PX', life)
-- A code in use stays for its request. If the request gives it back, it has expired.
if formerAction[2] then
  redis.call('HSET', actionPrefix .. former, 'expires', string.format('%d', now))
elseif former then
  redis.call('DEL', actionPrefix .. former)
end
if mail == '' then return {'queued', ''} end
local entry = redis.call('XADD', outboxKey, '*', 'mail', mail, 'kind', kind, 'queued', string.format('%d', now),
  'expires', string.format('%d', now + life), 'event', code)
-- Bounds the stream even if nothing reads it. Entry ids are times of Redis's clock.
redis.call('XTRIM', outboxKey, 'MINID', '~', string.format('%d', string.match(entry, '^%d+') - mailLife))
return {'queued', entry}
