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
  if limit.isLog then
    redis.call('ZREM', limit.key, event)
  else
    waitForRoom(limit, now)
    local arrival = limit.arrival - limit.interval
    if arrival > now then
      redis.call('SET', limit.key, string.format('%.4f', arrival), 'PX', string.format('%d', arrival - now + 1))
    else
      redis.call('DEL', limit.key)
    end
  end
end
return 1
