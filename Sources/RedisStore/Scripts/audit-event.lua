-- A security event, for audit.lua and for scripts that know the account already. Each function has what it needs as
-- local values of its own: Lua takes longer to create a function that refers to values around it.
-- KEYS  `auditKey`: event stream of the account's shard  `auditOverflowKey`: its overflow
-- ARGV  `auditText`: what all events of one call share, or "" if events are not kept. Packed as arguments are:
--   1 now (ms)  2 the key of the project's accounts without the uid  3 whether the requester is an operator (0 | 1)
--   4 identifiers that the caller knows, each as a line break, its claim, a space and its name in events
--   5 earlier events (ms) are removed  6 events of a stream  7 life of a stream without new events (ms)  8 actor
--   9 what all events of the call share, three lines: project, reference, keyed hash of the requester's network
-- An event is one field, `event`, with these lines: time (ms), kind, detail, actor, project, reference, network, names
-- of identifiers, uid. Only the uid may contain line breaks. The previous version stored a field for each.

-- Returns until when (ms) the bucket of a kind of event is used after another event, or nil if it is used up. `former`
-- is the account's field; false if it does not have it.
local function usedUntil(isSignIn, now, created, former)
  local EVENT_INTERVAL, ACCOUNT_YOUTH = 17280000, 86400000
  if not former and isSignIn then former = math.min(created, now) + EVENT_INTERVAL end
  -- Subtracted, because texts compare digit by digit: an imported account may have been created before 2001.
  if not former or former - now <= 0 then return string.format('%d', now + EVENT_INTERVAL) end
  local isYoung = now - created < ACCOUNT_YOUTH
  local burst = isYoung and 3 or 10
  if isSignIn then burst = isYoung and 10 or 50 end
  local used = former + EVENT_INTERVAL
  return used - now <= burst * EVENT_INTERVAL and string.format('%d', used) or nil
end

-- Writes an event to a stream. `actor` defaults to the caller's.
local function writeEvent(isOverflow, kind, uid, detail, names, actor)
  local now, _, _, _, oldest, most, life, caller, call = cmsgpack.unpack(auditText)
  local stream = auditKey
  if isOverflow then stream, most = auditOverflowKey, string.format('%d', math.ceil(most / 10)) end
  -- One event in ten removes those that are too old, the others those that are too many. Redis removes a hundred events
  -- at once anyway.
  local byAge = string.sub(now, -1) == '0'
  redis.call('XADD', stream, byAge and 'MINID' or 'MAXLEN', '~', byAge and oldest or most, '*', 'event', now .. '\n'
    .. kind .. '\n' .. detail .. '\n' .. (actor or caller) .. '\n' .. call .. '\n' .. names .. '\n' .. uid)
  redis.call('PEXPIRE', stream, life)
end
