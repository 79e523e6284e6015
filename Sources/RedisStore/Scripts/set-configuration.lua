-- Replaces the operators' changes to a project's configuration, unless they changed concurrently (compare and set).
-- KEYS  1 configuration   2 test numbers
-- ARGV  1 new version: the version that the change is based on, plus 1  2 document
--       3 whether test numbers change (0 | 1)  4… if so, all test numbers: keyed hash, number and code sealed
-- RETURNS  1 | 0: another change came first

local standing = tonumber(redis.call('HGET', KEYS[1], 'version') or '0')
if standing + 1 ~= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'document', ARGV[2])
if ARGV[3] == '1' then
  redis.call('DEL', KEYS[2])
  if #ARGV > 3 then redis.call('HSET', KEYS[2], unpack(ARGV, 4)) end
end
return 1
