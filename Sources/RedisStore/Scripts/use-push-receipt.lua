-- Verifies a push receipt as proof of the app, and renews its life. The use of a device's newer receipt ends older
-- ones.
-- KEYS  1 receipt   2 its device: without the device's hash, which is stored in the receipt
-- ARGV  1 now (ms)  2 project  3 bundle id  4 receipts issued before this time (ms) are revoked
--       5 life of a receipt in use (ms)  6 request id
-- RETURNS  {"unknown"} | {"good", environment, 1 if it is the first use, the device's hash or ""}
-- Receipts of the previous version do not contain their device.
-- The field `used` is the time of the last use (ms), and after the first use also its request: a resent call has the
-- same outcome, unless a newer receipt was used since.

local receipt = redis.call('HMGET', KEYS[1], 'project', 'bundle', 'environment', 'issued', 'used', 'device')
local issued = tonumber(receipt[4])
if receipt[1] ~= ARGV[2] or receipt[2] ~= ARGV[3] or issued < tonumber(ARGV[4]) then return {'unknown'} end
if receipt[6] then
  local device = KEYS[2] .. receipt[6]
  local newest = redis.call('HGET', device, 'newest-issued')
  if newest and tonumber(newest) > issued then
    redis.call('DEL', KEYS[1])
    return {'unknown'}
  end
  redis.call('HSET', device, 'newest-issued', receipt[4])
  redis.call('PEXPIRE', device, ARGV[5])
end
local isFirstUse = not receipt[5] or string.match(receipt[5], ' (.*)$') == ARGV[6]
redis.call('HSET', KEYS[1], 'used', isFirstUse and ARGV[1] .. ' ' .. ARGV[6] or ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return {'good', receipt[3], isFirstUse and 1 or 0, receipt[6] or ''}
