-- Gives a dispatcher the items again that are pending at it, but that it does not hold: a reply was lost, or no replica
-- confirmed them.
-- NOT REPEATABLE: a dispatcher's calls have no deadline
-- KEYS  `outboxKey`
-- ARGV  `group` of consumers  `dispatcher`  `start` of the range of ids  `maximum` of items to return
--       `held`… ids of the items that it holds
-- RETURNS  {id, fields} for each item
-- Atomic: another dispatcher cannot take over an item in between.

local isHeld = {}
for _, id in ipairs(held) do isHeld[id] = true end
maximum = tonumber(maximum)
local lost = {}
for _, item in ipairs(redis.call('XPENDING', outboxKey, group, start, '+', #held + maximum, dispatcher)) do
  if not isHeld[item[1]] and #lost < maximum then lost[#lost + 1] = item[1] end
end
if #lost == 0 then return lost end
return redis.call('XCLAIM', outboxKey, group, dispatcher, 0, unpack(lost))
