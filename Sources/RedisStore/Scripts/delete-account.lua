-- Deletes an account, and keeps a sign-in that is under way from making it again.
-- KEYS  1 account   2 all accounts of the project   3 refresh tokens of the account   4 mark of a deleted account
--       5 refresh token without its hash
-- ARGV  1 uid  2 life of the mark (ms)  3 request id
-- RETURNS  {"no-account"} | {"deleted", sealed number or "", its claim, sealed number that it was about to get or "", its claim}
-- The tokens stay until their time is up, so that they are told that the account is gone, even when another one gets its uid.
-- A front end may repeat a request whose worker died: the same request id is told the same outcome.

local account = redis.call('HMGET', KEYS[1], 'created', 'phone', 'claim', 'pending-phone', 'pending-claim')
if not account[1] and redis.call('GET', KEYS[4]) ~= ARGV[3] then return {'no-account'} end
for _, tokenHash in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
  local token = KEYS[5] .. tokenHash
  if redis.call('EXISTS', token) == 1 then redis.call('HSET', token, 'account-deleted', '1') end
end
redis.call('DEL', KEYS[1], KEYS[3])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('SET', KEYS[4], ARGV[3], 'PX', ARGV[2])
return {'deleted', account[2] or '', account[3] or '', account[4] or '', account[5] or ''}
