-- Records APNs's response to a push at its device and receipt.
-- REPEATABLE: it sets absolute values
-- KEYS  `deviceKey`  `receiptKey`
-- ARGV  `environment` that accepted the push, or ""
--       `unreachableUntil`: until when the device counts as unreachable (ms), or ""
--       `life` of the device's record (ms)
--       `unusedReceiptLife` of a delivered receipt until its first use (ms)
-- RETURNS  1

if environment ~= '' then
  redis.call('HSET', deviceKey, 'environment', environment)
  redis.call('HDEL', deviceKey, 'unreachable-until')
  if redis.call('EXISTS', receiptKey) == 1 then
    redis.call('HSET', receiptKey, 'environment', environment)
    if redis.call('PTTL', receiptKey) < tonumber(unusedReceiptLife) then
      redis.call('PEXPIRE', receiptKey, unusedReceiptLife)
    end
  end
end
if unreachableUntil ~= '' then
  redis.call('HSET', deviceKey, 'unreachable-until', unreachableUntil)
  redis.call('HDEL', deviceKey, 'environment')
end
if environment ~= '' or unreachableUntil ~= '' then redis.call('PEXPIRE', deviceKey, life) end
return 1
