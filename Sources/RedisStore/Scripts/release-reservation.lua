-- Takes an event back from the limits that reserved it, see admit.lua and count-password-attempt.lua: the request
-- created no account, or its password was not wrong.
-- USES sliding-windows
-- REPEATABLE: after the first call the first key no longer has the request
-- KEYS  `limitKeys`… one for each limit, in the order of the reservation; the first stores each event
-- ARGV  `request` id  `bounds`… four for each key, see readLimits in sliding-windows.lua
-- RETURNS  whether the request had a reservation (0 | 1)
-- The keys have different hash tags, see admit.lua.

local reserved = redis.call('ZSCORE', limitKeys[1], request)
if not reserved then return 0 end

-- If the reservation's bucket is empty, another worker's clock was ahead and the request was counted in the newest
-- bucket.
local function takeFromBuckets(key, bucket)
  local newest, counted = redis.call('HGET', key, 'newest'), string.format('%d', math.floor(reserved / bucket))
  if not newest then return end
  if tonumber(redis.call('HGET', key, counted) or 0) == 0 then counted = newest end
  if tonumber(redis.call('HGET', key, counted) or 0) == 0 then return end
  redis.call('HINCRBY', key, counted, -1)
  if tonumber(counted) < tonumber(newest) then redis.call('HINCRBY', key, 'older', -1) end
end

for _, limit in ipairs(readLimits(limitKeys, bounds, 1, #limitKeys)) do
  if limit.bucket == 0 then redis.call('ZREM', limit.key, request) else takeFromBuckets(limit.key, limit.bucket) end
end
return 1
