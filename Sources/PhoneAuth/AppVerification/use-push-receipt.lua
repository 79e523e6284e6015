-- Verifies a push receipt as proof of the app, and restarts its lifetime. Using a newer receipt of a device ends the
-- older ones.
-- REPEATABLE: the receipt stores the request id
-- KEYS  `receiptKey`  `devicePrefix`: its device without the device's hash, which is stored in the receipt
-- ARGV  `now` (ms)  `project`  `bundle` id  `earliestIssue`: receipts issued before this time (ms) are revoked
--       `life` of a receipt in use (ms)  `request` id
-- RETURNS  {"unknown"} | {"good", environment, 1 if it is the first use, the device's hash}
-- The field `used` is the time of the last use (ms), and after the first use also its request: a resent call has the
-- same outcome, unless a newer receipt was used since.

local receipt = redis.call('HMGET', receiptKey, 'project', 'bundle', 'environment', 'issued', 'used', 'device')
local issued = tonumber(receipt[4])
if receipt[1] ~= project or receipt[2] ~= bundle or issued < tonumber(earliestIssue) then return {'unknown'} end
local device = devicePrefix .. receipt[6]
local newest = redis.call('HGET', device, 'newest-issued')
if newest and tonumber(newest) > issued then
  redis.call('DEL', receiptKey)
  return {'unknown'}
end
redis.call('HSET', device, 'newest-issued', receipt[4])
redis.call('PEXPIRE', device, life)
local isFirstUse = not receipt[5] or string.match(receipt[5], ' (.*)$') == request
redis.call('HSET', receiptKey, 'used', isFirstUse and now .. ' ' .. request or now)
redis.call('PEXPIRE', receiptKey, life)
return {'good', receipt[3], isFirstUse and 1 or 0, receipt[6]}
