-- Looks ahead at a sign-in: returns the outcome that it would have. Records only a recycled number and a wrong second
-- factor. The outcome may differ by the time the sign-in is recorded.
-- USES hash-fields, sign-in-obstacles, new-account
-- PACKED: it has many arguments
-- REPEATABLE: a wrong second factor is counted once per request
-- RETURNS  an outcome of sign-in-obstacles.lua or new-account.lua
--          | {"possible", field, value, …}: without fields if the sign-in would create the account

local account = readFields(accountKey)
if not account.created then return obstacleToCreation() or {'possible'} end
return obstacle(account, {}) or described(accountKey, {'possible'})
