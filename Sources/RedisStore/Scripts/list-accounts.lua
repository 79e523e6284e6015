-- Lists a project's accounts in a shard, in lexicographic order.
-- USES account-list
-- REPEATABLE: it only reads
-- KEYS  `usersKey` all accounts of the project  `pagesKey` names of their pages
-- ARGV  `after`: the uid after which the list begins; "" for its beginning  `limit` of each part of the reply
-- RETURNS  {{uid, …} in the sorted set of the previous version, {uid, …} on pages}. A uid may be in both: see
--          account-list.lua
-- One call reads several pages because a page may be split between two calls.

local minimum = after == '' and '-' or '(' .. after
local former = redis.call('ZRANGE', usersKey, minimum, '+', 'BYLEX', 'LIMIT', 0, limit)
local listed, most = {}, tonumber(limit)
local name = pageName(usersKey, after) or nextPageName(usersKey, after)
while name and #listed < most do
  if isElsewhere(usersKey, name) then return pageIsElsewhere() end
  local uids = redis.call('ZRANGE', pageKey(usersKey, name), minimum, '+', 'BYLEX', 'LIMIT', 0, most - #listed)
  for _, uid in ipairs(uids) do listed[#listed + 1] = uid end
  name = nextPageName(usersKey, name)
end
return {former, listed}
