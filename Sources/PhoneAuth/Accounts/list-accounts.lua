-- Lists a project's accounts in a shard, in lexicographic order.
-- USES account-list
-- REPEATABLE: it only reads
-- KEYS  `pagesKey` names of the pages
-- ARGV  `after`: the uid after which the list begins; "" for its beginning  `limit` of uids
-- RETURNS  {uid, …}
-- One call reads several pages because a page may be split between two calls.

local usersKey = string.sub(pagesKey, 1, -#':pages' - 1)
local minimum = after == '' and '-' or '(' .. after
local listed, most = {}, tonumber(limit)
local name = pageName(usersKey, after) or nextPageName(usersKey, after)
while name and #listed < most do
  if isElsewhere(usersKey, name) then return pageIsElsewhere() end
  local uids = redis.call('ZRANGE', pageKey(usersKey, name), minimum, '+', 'BYLEX', 'LIMIT', 0, most - #listed)
  for _, uid in ipairs(uids) do listed[#listed + 1] = uid end
  name = nextPageName(usersKey, name)
end
return listed
