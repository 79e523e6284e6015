-- Removes a second factor that the user did not add. Also removes the recovery codes and revokes all tokens.
-- KEYS  1 account
-- ARGV  1 uid  2 id of the factor  3 tokens issued before this time (s) are revoked  4 request
-- RETURNS  {"unknown-factor"} | {"reverted", field, value, …}
-- The account remembers the last factor removed this way in second-factor-reverted: of concurrent requests one
-- succeeds, and so do its retries.

local uid, id, request = ARGV[1], ARGV[2], ARGV[4]
local revert = id .. ' ' .. request
if secondFactor(KEYS[1], id) then
  local changes = {1, 'valid-since', ARGV[3], 'recovery-codes', SECOND_FACTOR .. id}
  changeFields(KEYS[1], uid, changes, 1, {}, true)
  redis.call('HSET', KEYS[1], 'second-factor-reverted', revert)
elseif redis.call('HGET', KEYS[1], 'second-factor-reverted') ~= revert then
  return {'unknown-factor'}
end
return described(KEYS[1], {'reverted'})
