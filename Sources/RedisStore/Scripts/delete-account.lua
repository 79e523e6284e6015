-- Deletes an account, and prevents a concurrent sign-in from recreating it.
-- KEYS  1 account   2 all accounts of the project   3 sessions of the account   4 mark of a deleted account
--       5 session without its id
-- ARGV  1 uid  2 life of the mark (ms)  3 request id
--       4 delete the account only if it is anonymous and was last used before this time (ms); "" for any account
-- RETURNS  {"no-account"} | {"revoked"}: the ID token | {"kept"}: it was used since then, or has a way to sign in
--          | {"deleted", {kind, sealed identifier, claim, …}: its identifiers and its pending ones}
-- The sessions stay, marked as ended, until they expire: their refresh tokens report the deletion even if another
-- account gets the uid. Idempotent: the front end may retry a request whose worker died, and the same request id gets
-- the same outcome. A resent call changes nothing more, even if another account has got the uid since.

local before = executedBefore()
if before then return {'deleted', before} end

-- Returns whether the account is anonymous and idle. If not, corrects its entry in the set of anonymous accounts.
local function isAbandoned()
  writeWhenMemoryIsFull(KEYS[1])
  local account = redis.call('HMGET', KEYS[1], 'anonymous', 'phone-claim', 'email-claim', 'created', 'last-login',
    'last-refresh')
  if not account[1] or account[2] or account[3] or not account[4] then
    redis.call('ZREM', anonymousUsers(KEYS[2]), ARGV[1])
    return false
  end
  local lastUse = math.max(tonumber(account[4]), tonumber(account[5] or 0), tonumber(account[6] or 0))
  if lastUse < tonumber(ARGV[4]) then return true end
  redis.call('ZADD', anonymousUsers(KEYS[2]), string.format('%d', lastUse), ARGV[1])
  return false
end

if ARGV[4] ~= '' and not isAbandoned() then return {'kept'} end
local exists = redis.call('HEXISTS', KEYS[1], 'created') == 1
if not exists and redis.call('GET', KEYS[4]) ~= ARGV[3] then return {'no-account'} end
if exists and isTokenRevoked(KEYS[1], ARGV[1]) then return {'revoked'} end
writeWhenMemoryIsFull(KEYS[1])
local formers, claims = {}, {}
for _, kind in ipairs(identifierKinds) do
  for _, name in ipairs({kind, 'pending-' .. kind}) do
    local former = redis.call('HMGET', KEYS[1], name, name .. '-claim')
    noteFormer(formers, kind, former[1], former[2])
    if former[2] and name == kind then table.insert(claims, former[2]) end
  end
end
for _, id in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
  local session = KEYS[5] .. id
  if redis.call('EXISTS', session) == 1 then redis.call('HSET', session, 'account-deleted', '1') end
end
if exists then audit('account-deleted', ARGV[1], ARGV[4] ~= '' and 'unused' or '', claims) end
redis.call('DEL', KEYS[1], KEYS[3])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('ZREM', anonymousUsers(KEYS[2]), ARGV[1])
redis.call('SET', KEYS[4], ARGV[3], 'PX', ARGV[2])
rememberExecution(formers)
return {'deleted', formers}
