-- Returns unused leased events to their rate limits: see lease-events.lua.
-- USES executed-calls, full-memory
-- REPEATABLE: executed-calls.lua
-- KEYS  `limitKeys`… one per limit
-- ARGV  `buckets`… for each key: number of the bucket that counts the events, and how many events to return
-- RETURNS  1
-- A bucket that has left the window no longer counts, so nothing is returned to it.

if executedBefore() then return 1 end
writeWhenMemoryIsFull(limitKeys[1])
for i, key in ipairs(limitKeys) do
  local bucket, events = buckets[2 * i - 1], tonumber(buckets[2 * i])
  local known = redis.call('HMGET', key, 'newest', bucket)
  if known[1] and tonumber(known[2] or 0) >= events then
    redis.call('HINCRBY', key, bucket, -events)
    if tonumber(bucket) < tonumber(known[1]) then redis.call('HINCRBY', key, 'older', -events) end
  end
end
rememberExecution({})
return 1
