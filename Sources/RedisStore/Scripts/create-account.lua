-- Creates an account for an operator, unless its uid exists.
-- USES described-account, account-changes, account-list
-- NOT REPEATABLE: for operators; an account deleted in the meantime would be recreated
-- KEYS  `accountKey`  `usersKey` all accounts of the project  `deletedKey` mark of a deleted account
-- ARGV  `uid`  `now` (ms)  `madeBy`: identity of the request  `changes`… of fields, see changeFields
-- RETURNS  {"exists"} | {"given-up"}: the request has given up the account, and this call was delayed
--          | {"created", field, value, …}
-- The mark of an account with this uid that another request deleted does not matter: the new account holds none of its
-- claims. An import's mark does not matter either, because the next import of the account has the same identity.
-- Idempotent: the same request gets the same outcome.

local account = redis.call('HMGET', accountKey, 'created', 'made-by')
if account[1] and account[2] ~= madeBy then return {'exists'} end
if not account[1] then
  local isImport = string.sub(madeBy, 1, 14) == 'create/import/'
  if not isImport and redis.call('GET', deletedKey) == madeBy then return {'given-up'} end
  redis.call('HSET', accountKey, 'created', now, 'made-by', madeBy)
  changeFields(accountKey, uid, changes, {}, false)
  audit('account-created', uid, '')
  listAccount(usersKey, uid)
end
return described(accountKey, {'created'})
