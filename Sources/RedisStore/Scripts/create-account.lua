-- Creates an account for an operator, unless its uid exists.
-- KEYS  1 account   2 all accounts of the project
-- ARGV  1 uid  2 now (ms)  3 identity of the request  4 initial value of the revocation counter
--       5… changes of fields, see changeFields
-- RETURNS  {"exists"} | {"created", field, value, …}
-- The mark of a deleted account with this uid does not matter: the new account holds none of its claims.
-- Idempotent: the same request gets the same outcome.

local account = redis.call('HMGET', KEYS[1], 'created', 'made-by')
if account[1] and account[2] ~= ARGV[3] then return {'exists'} end
if not account[1] then
  redis.call('HSET', KEYS[1], 'created', ARGV[2], 'made-by', ARGV[3], 'revocation', ARGV[4])
  changeFields(KEYS[1], ARGV[1], ARGV, 5, {}, false)
  audit('account-created', ARGV[1], '')
  redis.call('ZADD', KEYS[2], 0, ARGV[1])
end
return described(KEYS[1], {'created'})
