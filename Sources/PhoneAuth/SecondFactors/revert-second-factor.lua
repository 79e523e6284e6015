-- Removes a second factor that the user did not add. Also removes the recovery codes and revokes all tokens.
-- USES described-account, account-changes
-- REPEATABLE: the account stores the request id
-- KEYS  `accountKey`
-- ARGV  `uid`  `id` of the factor  `validSince`: tokens issued before this time (s) are revoked  `request` id
-- RETURNS  {"unknown-factor"} | {"reverted", field, value, …}
-- The account remembers the last factor removed this way in second-factor-reverted: one of several concurrent requests
-- succeeds, and so do its retries.

local revert = id .. ' ' .. request
if secondFactor(accountKey, id) then
  local changes = {1, 'valid-since', validSince, 'recovery-codes', SECOND_FACTOR .. id}
  changeFields(accountKey, uid, changes, {}, true)
  redis.call('HSET', accountKey, 'second-factor-reverted', revert)
elseif redis.call('HGET', accountKey, 'second-factor-reverted') ~= revert then
  return {'unknown-factor'}
end
return described(accountKey, {'reverted'})
