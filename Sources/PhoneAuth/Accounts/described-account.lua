-- Returns a reply that consists of these values and all fields of an account.
local function described(account, values)
  local count = #values
  for i, value in ipairs(redis.call('HGETALL', account)) do values[count + i] = value end
  return values
end
