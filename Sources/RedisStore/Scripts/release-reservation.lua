-- Gives back a request's reservation in the limits on account creation, see admit.lua, because it created no account.
-- KEYS  one for each limit on accounts, in the order of the reservation; the first stores each event
-- ARGV  1 request id  2… for each key its bucket (ms), or 0 if each event is stored
-- RETURNS  whether the request had a reservation (0 | 1)
-- Idempotent: after the first call the first key no longer contains the request. The keys have different hash tags, see
-- admit.lua.

local reserved = redis.call('ZSCORE', KEYS[1], ARGV[1])
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

for i, key in ipairs(KEYS) do
  local bucket = tonumber(ARGV[i + 1])
  if bucket == 0 then redis.call('ZREM', key, ARGV[1]) else takeFromBuckets(key, bucket) end
end
return 1
