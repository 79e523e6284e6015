-- Returns the fields of a hash by name. With the protocol RESP3 Redis makes this table itself. Its nulls differ, so
-- everything else uses RESP2.
local function readFields(hash)
  redis.setresp(3)
  local fields = redis.call('HGETALL', hash).map
  redis.setresp(2)
  return fields
end
