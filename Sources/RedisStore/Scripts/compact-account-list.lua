-- Moves uids of a project's accounts in a shard to pages, from the sorted set of the previous version.
-- USES account-list
-- REPEATABLE: each execution moves further uids
-- KEYS  `usersKey` all accounts of the project  `pagesKey` names of their pages  `countKey` how many are on pages
-- ARGV  `limit` of uids to move
-- RETURNS  how many were moved; 0 if all are on pages
-- Atomic: each uid stays listed.

-- The first write needs no memory, so this works when Redis has reached maxmemory: see writeWhenMemoryIsFull.
redis.call('ZREM', usersKey, '')
local uids = redis.call('ZRANGE', usersKey, 0, limit - 1)
for _, uid in ipairs(uids) do
  local name = pageName(usersKey, uid)
  if name and isElsewhere(usersKey, name) then return pageIsElsewhere() end
  addToPages(usersKey, uid)
  redis.call('ZREM', usersKey, uid)
end
return #uids
