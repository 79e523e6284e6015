-- Makes an account take a number that stands claimed for it, without a sign-in.
-- KEYS  1 account     ARGV  1 claim  2 sealed number
-- RETURNS  {"no-account"} | {"not-held"}: neither the account's claim nor its pending one
--          | {"taken", sealed number that it gave up or "", its claim, field, value, …}

local account = redis.call('HMGET', KEYS[1], 'created', 'claim', 'pending-claim', 'phone')
if not account[1] then return {'no-account'} end
local formerNumber, formerClaim = '', ''
if account[2] ~= ARGV[1] then
  if account[3] ~= ARGV[1] then return {'not-held'} end
  formerNumber, formerClaim = account[4] or '', account[2] or ''
  redis.call('HDEL', KEYS[1], 'pending-claim', 'pending-phone')
  redis.call('HSET', KEYS[1], 'phone', ARGV[2], 'claim', ARGV[1])
end
local answer = redis.call('HGETALL', KEYS[1])
for i, value in ipairs({'taken', formerNumber, formerClaim}) do table.insert(answer, i, value) end
return answer
