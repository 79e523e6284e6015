-- Changes fields of an account.
-- KEYS  1 account
-- ARGV  1 how many fields get a value  2… their names and values, then the names of those that go
-- RETURNS  {"no-account"} | {"updated", sealed number that it gave up or "", its claim, field, value, …}
-- The fields of its number go together: the caller names `phone`, and what belongs to it goes too.

local former = redis.call('HMGET', KEYS[1], 'created', 'phone', 'claim')
if not former[1] then return {'no-account'} end
local firstRemoved = 2 + 2 * tonumber(ARGV[1])
if firstRemoved > 2 then redis.call('HSET', KEYS[1], unpack(ARGV, 2, firstRemoved - 1)) end
local formerNumber, formerClaim = '', ''
for i = firstRemoved, #ARGV do
  redis.call('HDEL', KEYS[1], ARGV[i])
  if ARGV[i] == 'phone' then
    formerNumber, formerClaim = former[2] or '', former[3] or ''
    redis.call('HDEL', KEYS[1], 'claim', 'pending-phone', 'pending-claim')
  end
end
local answer = redis.call('HGETALL', KEYS[1])
for i, value in ipairs({'updated', formerNumber, formerClaim}) do table.insert(answer, i, value) end
return answer
