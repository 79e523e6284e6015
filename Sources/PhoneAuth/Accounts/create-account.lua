-- Creates an account for an operator, unless its uid exists.
-- USES described-account, account-changes, account-list
-- NOT REPEATABLE: for operators; an account deleted in the meantime would be recreated
-- KEYS  `accountKey`  `usersKey` all accounts of the project
--       `givenUpKey`: the request that has given up the account, see delete-account.lua
-- ARGV  `uid`  `now` (ms)  `madeBy`: identity of the request  `changes`… of fields, see changeFields
-- RETURNS  {"exists"} | {"given-up"}: this call was delayed until after the request's own deletion of the account
--          | {"created", field, value, …}
-- The mark of a deleted account with this uid does not matter: the new account holds none of its claims.
-- Idempotent: the same request gets the same outcome.

local account = redis.call('HMGET', accountKey, 'created', 'made-by')
if account[1] and account[2] ~= madeBy then return {'exists'} end
if not account[1] then
  if redis.call('GET', givenUpKey) == madeBy then return {'given-up'} end
  redis.call('HSET', accountKey, 'created', now, 'made-by', madeBy)
  changeFields(accountKey, uid, changes, {}, false)
  audit('account-created', uid, '')
  listAccount(usersKey, uid)
end
return described(accountKey, {'created'})
