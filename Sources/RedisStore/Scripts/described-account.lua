-- An answer of these values and all fields of an account.
local function described(account, values)
  local answer = redis.call('HGETALL', account)
  for i, value in ipairs(values) do table.insert(answer, i, value) end
  return answer
end
