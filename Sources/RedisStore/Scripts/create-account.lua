-- Makes an account for an operator, unless there is one of its name.
-- KEYS  1 account   2 all accounts of the project
-- ARGV  1 uid  2 now (ms)  3 what the request is known by  4 where the revocation counter starts
--       5… changes of fields, see changeFields
-- RETURNS  {"exists"} | {"created", field, value, …}
-- A mark that an earlier account of this name was deleted changes nothing: no claim that led to that one is held by this one.
-- The same request, repeated, is told the same outcome.

local account = redis.call('HMGET', KEYS[1], 'created', 'made-by')
if account[1] and account[2] ~= ARGV[3] then return {'exists'} end
if not account[1] then
  redis.call('HSET', KEYS[1], 'created', ARGV[2], 'made-by', ARGV[3], 'revocation', ARGV[4])
  changeFields(KEYS[1], ARGV[1], ARGV, 5, {}, false)
  audit('account-created', ARGV[1], '')
  redis.call('ZADD', KEYS[2], 0, ARGV[1])
end
return described(KEYS[1], {'created'})
