-- Records a sign-in with its refresh token, and makes the account where there is none yet and the caller may.
-- KEYS  1 account   2 all accounts of the project   3 new refresh token   4 refresh tokens of the account
--       5 mark of a deleted account
-- ARGV  1 now (ms)  2 uid  3 sign-in provider  4 life of an unused refresh token (ms)  5 hash of the new refresh token
--       6 how many refresh tokens an account may have  7 what the sign-in is known by where it may make the account, else ""
--       8 time of the sign-in (ms): before now where the user signed in earlier and only gets a new token  9 the token's
--       own claims as JSON, or ""  10 life of the mark (ms)
--       11 claim that led here from a number, "" where none did  12 whether that claim is fresh (0 | 1)  13 sealed number
-- RETURNS  {"disabled"} | {"no-account"} | {"not-held"}: the account does not hold the claim
--          | {"signed-in", is the account new (0 | 1), sealed number that it gave up or "", its claim, field, value, …}
-- A number can point to an account that was never made, when a worker died in between: it is made here, by the next
-- sign-in. What was deleted no number makes again: its mark outlives the time for which claims are fresh.
-- After "no-account" and "not-held" the account will never hold this claim, so the caller may put another in its place.
-- New is what this sign-in made: of racing ones one, and that one also when its request is repeated.

local now, uid, provider, idleLife, tokenHash = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local maximumTokens, maker, signedIn, tokenClaims = tonumber(ARGV[6]), ARGV[7], ARGV[8], ARGV[9]
local claim, isFresh, sealedNumber = ARGV[11], ARGV[12] == '1', ARGV[13]
local byNumber = claim ~= ''

local account = redis.call('HMGET', KEYS[1], 'created', 'disabled', 'made-by', 'claim', 'pending-claim', 'phone')
local new, formerNumber, formerClaim = 0, '', ''
if account[1] then
  local isPending = byNumber and account[5] == claim
  if byNumber and account[4] ~= claim and not (isPending and isFresh) then
    if isPending then redis.call('HDEL', KEYS[1], 'pending-claim', 'pending-phone') end
    return {'not-held'}
  end
  if account[2] == '1' then return {'disabled'} end
  if isPending then
    formerNumber, formerClaim = account[6] or '', account[4] or ''
    redis.call('HDEL', KEYS[1], 'pending-claim', 'pending-phone')
  end
  if account[3] and account[3] == maker then
    new = 1
  elseif account[3] then
    redis.call('HDEL', KEYS[1], 'made-by')
  end
else
  if maker == '' or byNumber and (not isFresh or redis.call('EXISTS', KEYS[5]) == 1) then
    if byNumber then redis.call('SET', KEYS[5], '', 'PX', ARGV[10], 'NX') end
    return {'no-account'}
  end
  new = 1
  redis.call('HSET', KEYS[1], 'created', now, 'made-by', maker)
  redis.call('ZADD', KEYS[2], 0, uid)
end
if byNumber then redis.call('HSET', KEYS[1], 'phone', sealedNumber, 'claim', claim) end
if signedIn == now then redis.call('HSET', KEYS[1], 'last-login', now) end
redis.call('HSET', KEYS[1], 'last-refresh', now)

redis.call('HSET', KEYS[3], 'uid', uid, 'provider', provider, 'signed-in', signedIn, 'issued', now)
if tokenClaims ~= '' then redis.call('HSET', KEYS[3], 'claims', tokenClaims) end
redis.call('PEXPIRE', KEYS[3], idleLife)
-- The tokens that were unused the longest make room.
local excess = redis.call('ZCARD', KEYS[4]) + 1 - maximumTokens
if excess > 0 then
  local tokenPrefix = string.sub(KEYS[3], 1, -(#tokenHash + 1))
  for _, oldest in ipairs(redis.call('ZRANGE', KEYS[4], 0, excess - 1)) do redis.call('DEL', tokenPrefix .. oldest) end
  redis.call('ZREMRANGEBYRANK', KEYS[4], 0, excess - 1)
end
redis.call('ZADD', KEYS[4], now, tokenHash)
redis.call('PEXPIRE', KEYS[4], idleLife)

local answer = redis.call('HGETALL', KEYS[1])
for i, value in ipairs({'signed-in', new, formerNumber, formerClaim}) do table.insert(answer, i, value) end
return answer
