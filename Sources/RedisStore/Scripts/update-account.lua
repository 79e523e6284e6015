-- Changes fields of an account.
-- KEYS  1 account
-- ARGV  1 uid  2 how many fields get a value  3… their names and values, then the names of those that go
-- RETURNS  {"no-account"} | {"updated", {kind, sealed identifier, claim, …}: what is to let go of it, field, value, …}

if redis.call('HEXISTS', KEYS[1], 'created') == 0 then return {'no-account'} end
local formers = {}
changeFields(KEYS[1], ARGV[1], ARGV, 2, formers, true)
local answer = redis.call('HGETALL', KEYS[1])
for i, value in ipairs({'updated', formers}) do table.insert(answer, i, value) end
return answer
