-- Writes a security event. For audit.lua and for scripts that have already read the account. Each function has its own
-- local copies of what it needs, because Lua takes longer to create a function that refers to outer variables.
-- KEYS  `auditKey`: event stream of the account's shard  `auditOverflowKey`: its overflow
-- ARGV  `auditText`: what all events of one call share, or "" if events are not kept. Packed as arguments are:
--   1 now (ms)  2 the key of the project's accounts without the uid  3 whether the requester is an operator (0 | 1)
--   4 identifiers that the caller knows, each as a line break, its claim, a space and its name in events
--   5 events before this time (ms) are removed  6 maximum length of a stream  7 life of a stream without new events
--   (ms)  8 actor
--   9 what all events of the call share, three lines: project, reference, keyed hash of the requester's network
-- An event is one field, `event`, with these lines: time (ms), kind, detail, actor, project, reference, network, names
-- of identifiers, uid. Only the uid may contain line breaks.

-- Returns when (ms) the token bucket of a kind of event will be full again after one more event, or nil if the bucket
-- is empty. `former` is the account's field, or false if the account does not have it.
local function usedUntil(isSignIn, now, created, former)
  local EVENT_INTERVAL, ACCOUNT_YOUTH = 17280000, 86400000
  if not former and isSignIn then former = math.min(created, now) + EVENT_INTERVAL end
  -- Subtraction converts to numbers. Strings would be compared digit by digit, and the creation time of an imported
  -- account may have fewer digits.
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
  -- One event in ten trims the stream by age, the others by length. Redis trims about a hundred entries at a time
  -- anyway.
  local byAge = string.sub(now, -1) == '0'
  redis.call('XADD', stream, byAge and 'MINID' or 'MAXLEN', '~', byAge and oldest or most, '*', 'event', now .. '\n'
    .. kind .. '\n' .. detail .. '\n' .. (actor or caller) .. '\n' .. call .. '\n' .. names .. '\n' .. uid)
  redis.call('PEXPIRE', stream, life)
end
