-- The list of a project's accounts in a shard, in the order of their uids. For scripts that create, delete or list
-- accounts.
--
-- A large sorted set takes 126 bytes for each uid. One with at most 128 members (the default limit) takes 32, because
-- Redis stores it as a single listpack. So the list is divided into pages:
--   <users>:pages        sorted set of the pages' names, in lexicographic order
--   <users>:page:<name>  sorted set of the uids from this name up to the name of the next page
-- A page is named after the first uid that was added to it, and the first page is named "". A full page is split in
-- two. An empty page is removed, and the preceding page takes over its range.
--
-- While a cluster migrates the slot to another node, a page may be on either. Redis then refuses to run a script if one
-- of its KEYS does not exist, and scripts that create or delete an account always have such a key. Other scripts have
-- all keys except the pages in KEYS, and use isElsewhere to detect a missing page.

-- With uids of 28 characters, a full page fits into an allocation of 4096 bytes.
local MOST_UIDS_OF_PAGE = 127

local function pagesOf(users) return users .. ':pages' end

local function pageKey(users, name) return users .. ':page:' .. name end

-- Returns the name of the page to which a uid belongs, or nil if no page begins with it or before it.
local function pageName(users, uid)
  return redis.call('ZRANGE', pagesOf(users), '[' .. uid, '-', 'BYLEX', 'REV', 'LIMIT', '0', '1')[1]
end

-- Returns the name of the page after the page of this name, or nil if this is the last one.
local function nextPageName(users, name)
  return redis.call('ZRANGE', pagesOf(users), '(' .. name, '+', 'BYLEX', 'LIMIT', '0', '1')[1]
end

-- Returns whether a page is on another node because its slot is being migrated: a page is never empty. The source node
-- reports an error for a key that it no longer has.
local function isElsewhere(users, name) return redis.pcall('EXISTS', pageKey(users, name)) ~= 1 end

local function pageIsElsewhere() return redis.error_reply('TRYAGAIN the list of accounts is being moved') end

-- Splits a page in two. If the uid that was just added is the last one, it begins the new page, so that ascending uids,
-- such as those of an export, leave full pages behind.
local function dividePage(users, page, size, uid)
  local first = redis.call('ZRANK', page, uid) == size - 1 and size - 1 or math.floor(size / 2)
  local moved = redis.call('ZRANGE', page, first, -1)
  local members = {}
  for i, member in ipairs(moved) do members[2 * i - 1], members[2 * i] = 0, member end
  redis.call('ZADD', pageKey(users, moved[1]), unpack(members))
  redis.call('ZREMRANGEBYRANK', page, first, -1)
  redis.call('ZADD', pagesOf(users), '0', moved[1])
end

-- Adds an account to the list. Adding it again changes nothing. A new page gets its uid before its name is listed: the
-- source node of a slot migration refuses new keys, and a name without a page would cut every list short.
local function listAccount(users, uid)
  local name = pageName(users, uid)
  local page = pageKey(users, name or '')
  if redis.call('ZADD', page, '0', uid) == 0 then return end
  if not name then redis.call('ZADD', pagesOf(users), '0', '') end
  local size = redis.call('ZCARD', page)
  if size > MOST_UIDS_OF_PAGE then dividePage(users, page, size, uid) end
end

-- Removes an account from the list.
local function unlistAccount(users, uid)
  local name = pageName(users, uid)
  if not name then return end
  local page = pageKey(users, name)
  if redis.call('ZREM', page, uid) == 0 then return end
  if redis.call('EXISTS', page) == 0 then redis.call('ZREM', pagesOf(users), name) end
end
