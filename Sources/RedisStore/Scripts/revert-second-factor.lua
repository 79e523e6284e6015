-- Takes a second factor away whose user did not want it added. With it go all tokens and the recovery codes.
-- KEYS  1 account
-- ARGV  1 uid  2 id of the factor  3 time before which tokens end (s)  4 request
-- RETURNS  {"unknown-factor"} | {"reverted", field, value, …}
-- The account remembers the last one that went so, second-factor-reverted: of requests that race one takes it away, and that one
-- also when it is repeated.

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
