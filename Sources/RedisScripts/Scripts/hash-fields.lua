-- Returns the fields of a hash by name. With RESP3, Redis creates this table itself. RESP3's nulls differ, so
-- everything else uses RESP2.
local function readFields(hash)
  redis.setresp(3)
  local fields = redis.call('HGETALL', hash).map
  redis.setresp(2)
  return fields
end
