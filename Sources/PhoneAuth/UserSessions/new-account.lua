-- What keeps a sign-in from creating its account. For scripts that record a sign-in or look ahead at it.
-- KEYS  `deletedKey` mark of a deleted account
-- ARGV  `maker`  `kind`  `isFresh`: see sign-in-obstacles.lua  `markLife` (ms)
-- OUTCOMES  {"no-account", whether no identifier led here and the account was deleted recently (0 | 1)}
-- An identifier never recreates a deleted account: the mark outlives the time for which claims are fresh.

-- Returns the outcome; nil if the sign-in may create the account.
local function obstacleToCreation()
  if maker ~= '' and (kind == '' or isFresh == '1' and redis.call('EXISTS', deletedKey) == 0) then return nil end
  if kind ~= '' then redis.call('SET', deletedKey, '', 'PX', markLife, 'NX') end
  return {'no-account', kind ~= '' and 0 or redis.call('EXISTS', deletedKey)}
end
