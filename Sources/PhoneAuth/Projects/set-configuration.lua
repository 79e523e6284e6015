-- Replaces the operators' changes to a project's configuration, unless they changed concurrently (compare and set).
-- NOT REPEATABLE: for operators; the version would have changed, and the operator reads it again
-- KEYS  `configurationKey`  `testNumbersKey`
-- ARGV  `version`: the new version, 1 more than the version that was changed  `document`
--       `changesTestNumbers` (0 | 1)  `testNumbers`… if so, all of them: keyed hash, sealed number and code
-- RETURNS  1 | 0: another change came first

local current = tonumber(redis.call('HGET', configurationKey, 'version') or '0')
if current + 1 ~= tonumber(version) then return 0 end
redis.call('HSET', configurationKey, 'version', version, 'document', document)
if changesTestNumbers == '1' then
  -- Adds before it removes: see "Keys that move" in LuaFile.swift.
  local former, isKept = redis.call('HGETALL', testNumbersKey), {}
  if #testNumbers > 0 then redis.call('HSET', testNumbersKey, unpack(testNumbers)) end
  for i = 1, #testNumbers, 2 do isKept[testNumbers[i]] = true end
  for i = 1, #former, 2 do
    if not isKept[former[i]] then redis.call('HDEL', testNumbersKey, former[i]) end
  end
end
return 1
