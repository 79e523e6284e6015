-- Takes an event back from the rate limits that count-event.lua counted it in: its outcome does not count, such as that
-- of a request that created no account.
-- USES rate-limits
-- REPEATABLE: the key of the event says whether it is still counted
-- KEYS  `eventKey` of an event that was counted  `limitKeys`… one per limit
-- ARGV  `now` (ms)  `event`: its id  `bounds`… for each limit, see readLimits in rate-limits.lua
-- RETURNS  1 | 0: the event is not counted

if redis.call('DEL', eventKey) == 0 then return 0 end
now = tonumber(now)
for _, limit in ipairs(readLimits(limitKeys, bounds)) do
  waitForRoom(limit, now)
  if limit.window then
    local log = withoutEvent(limit, now, event)
    if log == '' then redis.call('DEL', limit.key) else redis.call('SET', limit.key, log, 'KEEPTTL') end
  elseif limit.ahead > limit.interval then
    setRate(limit, now, limit.ahead - limit.interval)
  else
    redis.call('DEL', limit.key)
  end
end
return 1
