-- Deletes an account, and prevents a concurrent sign-in from recreating it.
-- USES executed-calls, full-memory, account-changes, account-list, anonymous-users
-- REPEATABLE: executed-calls.lua
-- KEYS  `accountKey`  `usersKey` all accounts of the project  `sessionsKey` sessions of the account
--       `deletedKey` mark of a deleted account  `givenUpKey`: the request that can no longer create the account
--       `sessionPrefix`: session without its id
-- ARGV  `uid`  `markLife` (ms)  `request` id
--       `unusedSince`: delete the account only if it is anonymous and was last used before this time (ms); "" for any
--       account
--       `maker`: delete the account only if this request created it and no one has used or changed it since; "" for any
--       account
--       `givingUp`: 1 if this request can then no longer create the account, even if it does not exist yet, because its
--       own call may be delayed
-- RETURNS  {"no-account"} | {"revoked"}: the ID token is revoked
--          | {"kept"}: the account was used since then, or has a way to sign in, or is not the request's
--          | {"deleted", {kind, sealed identifier, claim, …}: its identifiers and its pending ones}
-- The sessions stay, marked as ended, until they expire: their refresh tokens report the deletion even if another
-- account gets the uid. Idempotent: the front end may retry a request whose worker died, and the same request id gets
-- the same outcome. A resent call changes nothing more, even if another account has got the uid since.

local before = executedBefore()
if before then return {'deleted', before} end

-- Returns whether the account is anonymous and idle. If not, corrects its entry in the set of anonymous accounts.
local function isAbandoned()
  writeWhenMemoryIsFull(accountKey)
  local account = redis.call('HMGET', accountKey, 'anonymous', 'phone-claim', 'email-claim', 'created', 'last-login',
    'last-refresh')
  if not account[1] or account[2] or account[3] or not account[4] then
    redis.call('ZREM', anonymousUsers(usersKey), uid)
    return false
  end
  local lastUse = math.max(tonumber(account[4]), tonumber(account[5] or 0), tonumber(account[6] or 0))
  if lastUse < tonumber(unusedSince) then return true end
  redis.call('ZADD', anonymousUsers(usersKey), string.format('%d', lastUse), uid)
  return false
end

if unusedSince ~= '' and not isAbandoned() then return {'kept'} end
local exists = redis.call('HEXISTS', accountKey, 'created') == 1
if not exists and redis.call('GET', deletedKey) ~= request then
  if givingUp == '1' then
    writeWhenMemoryIsFull(accountKey)
    redis.call('SET', givenUpKey, maker, 'PX', markLife)
  end
  return {'no-account'}
end
if exists and maker ~= '' and redis.call('HGET', accountKey, 'made-by') ~= maker then return {'kept'} end
if exists and isTokenRevoked(accountKey, uid) then return {'revoked'} end
writeWhenMemoryIsFull(accountKey)
local formers, claims = {}, {}
for _, kind in ipairs(identifierKinds) do
  for _, name in ipairs({kind, 'pending-' .. kind}) do
    local former = redis.call('HMGET', accountKey, name, name .. '-claim')
    noteFormer(formers, kind, former[1], former[2])
    if former[2] and name == kind then table.insert(claims, former[2]) end
  end
end
for _, id in ipairs(redis.call('ZRANGE', sessionsKey, 0, -1)) do
  local session = sessionPrefix .. id
  if redis.call('EXISTS', session) == 1 then redis.call('HSET', session, 'account-deleted', '1') end
end
if exists then audit('account-deleted', uid, unusedSince ~= '' and 'unused' or '', claims) end
redis.call('DEL', accountKey, sessionsKey)
unlistAccount(usersKey, uid)
redis.call('ZREM', anonymousUsers(usersKey), uid)
redis.call('SET', deletedKey, request, 'PX', markLife)
if givingUp == '1' then redis.call('SET', givenUpKey, maker, 'PX', markLife) end
rememberExecution(formers)
return {'deleted', formers}
