-- Counts one answer to a verification session: an attempt with a code. A correct code ends the session and finds the
-- number's account.
-- REPEATABLE: the session stores the ids of its requests, see below
-- KEYS  `sessionKey`  `claimKey` number → claim  `lockPrefix`: lock without the binding, which is stored in the session
--       `wrongCodesKey` wrong codes for the number since the last correct one
--       `newClientsKey`: a sliding-window log, the wrong codes of new clients for a test number; unused for others
--       `knownClientsKey` clients that gave a correct code
--       `regionKey` and `seriesKey` ranges of the number, see number-ranges.lua  `ledgerKey` today's ledger
-- ARGV  `now` (ms)  `request` id  `claim` for a number that has none, or the required claim, or ""
--       `block` of the number  `place` in the ledger, without the gateway
--       `flags`: three digits, each 0 or 1: the code is correct; the request carries an ID token of the account that
--       holds the number; only the required claim is acceptable because there is no room for another account
-- The settings that all answers share are prepended as constants: see AnswerRules.swift.
-- RETURNS  {"right", the number's claim or "", the gateway of the last message or ""}; only the claim if repeated
--          | "no-room": nothing was changed
--          | {"wrong", attempts left} | "used" | "exhausted" | "expired"
--          | {"blocked", "number" or "client", wrong codes, retry after (ms)}: rejected without verification, and no
--            attempt of the session is spent
-- A correct code shows that the session's messages reached a real user: the number's ranges and the ledger count them
-- as verified.
-- Atomic: concurrent answers cannot exceed the allowed attempts, and a session's code is single use (no replay).
-- Idempotent: the front end retries a request whose worker died, and a worker resends a call whose reply was lost. The
-- same request id gets the same outcome and is counted once, whatever changes concurrently. The session therefore keeps
-- `answers`: lines of request id and attempts left, one for each wrong answer, at most as many as it has attempts. A
-- used session keeps the `request` with the correct code.
-- Code that a correct first answer does not need is in branches, and functions are inlined, because Lua creates each
-- function in every call.

local session = redis.call('HMGET', sessionKey, 'state', 'expires', 'attempts', 'binding', 'request',
  'messages', 'counted', 'gateway', 'client', 'answers', 'networks')
local state, answers = session[1], session[10] or ''
if not state then return 'expired' end
if answers ~= '' then
  local _, last = string.find(answers, '\n' .. request .. ' ', 1, true)
  if last then return {'wrong', tonumber(string.match(answers, '^%d+', last + 1))} end
end
local isRight, requiresClaim = string.sub(flags, 1, 1) == '1', string.sub(flags, 3) == '1'

if state == 'open' then
  if tonumber(now) >= tonumber(session[2]) then return 'expired' end
  local attempts = session[3]
  -- Protects against brute force without locking the owner out. All wrong codes count against the number, but only the
  -- client that entered them has to wait, and the last of a number's wrong codes are reserved for known clients.
  -- Otherwise an attacker could lock the owner out: with one answer an hour if every client had to wait, or with a
  -- hundred if nothing were reserved. The count of the number's wrong codes decays by half in each half-life, and is
  -- reset eight half-lives after the last one. An IPv6 client's wrong codes also count for its /56 and its /48, which
  -- have two and four times its allowance. Known clients do not wait for their networks.
  local client, wrongOfAll = session[9] or session[4], 0
  local counted = client .. ' ' .. (session[11] or '')
  local lastWrong = redis.call('HGET', wrongCodesKey, 'last')
  local isOwners = string.sub(flags, 2, 2) == '1'
  if not isOwners and (lastWrong or newClientsPerDay > 0) then
    local since = redis.call('ZSCORE', knownClientsKey, client)
    isOwners = since and tonumber(now) < since + knownClientLife
  end
  -- The worker's clock decides, as everywhere. Redis's clock only expires keys.
  if lastWrong and now - lastWrong >= 8 * halfLife then
    redis.call('DEL', wrongCodesKey)
  elseif lastWrong then
    wrongOfAll = redis.call('HGET', wrongCodesKey, 'all') * 2 ^ (-math.max(0, now - lastWrong) / halfLife)
    -- A partly decayed wrong code still counts as one, so concurrent answers never exceed the maximum.
    local whole = math.ceil(wrongOfAll - 1e-6)
    if not isOwners then maximum = maximum - reserved end
    if whole >= maximum then
      local wait = maximum > 1 and halfLife * math.log(wrongOfAll / (maximum - 1)) / math.log(2)
        or lastWrong + 8 * halfLife - now
      return {'blocked', 'number', whole, math.max(1, math.ceil(wait))}
    end
    local free = freeWrongCodes
    for name in string.gmatch(isOwners and client or counted, '%S+') do
      local wrong = redis.call('HMGET', wrongCodesKey, 'all:' .. name, 'last:' .. name)
      local count = wrong[1] and now - wrong[2] < 8 * halfLife and tonumber(wrong[1]) or 0
      if count >= free then
        local wait = wrong[2] + math.min(1000 * 2 ^ (count - free), longestWait) - now
        if wait > 0 then return {'blocked', 'client', count, wait} end
      end
      free = 2 * free
    end
  end
  -- The code of a test number is fixed and its sessions cost no message, so a slow guess would find it. Nothing resets
  -- this count: tests enter the correct code all the time.
  if newClientsPerDay > 0 and not isOwners then
    local start = string.format('(%d', now - day)
    local wrong = redis.call('ZCOUNT', newClientsKey, start, '+inf')
    if wrong >= newClientsPerDay then
      local rank = string.format('%d', -newClientsPerDay)
      local wait = redis.call('ZRANGE', newClientsKey, rank, rank, 'WITHSCORES')[2] + day - now
      return {'blocked', 'number', wrong, wait}
    end
  end

  if not isRight then
    -- The first write needs no memory: see full-memory.lua.
    redis.call('HDEL', sessionKey, '')
    redis.call('HSET', wrongCodesKey, 'all', string.format('%.3f', wrongOfAll + 1), 'last', now)
    for name in string.gmatch(counted, '%S+') do
      local last = redis.call('HGET', wrongCodesKey, 'last:' .. name)
      if last and now - last >= 8 * halfLife then redis.call('HDEL', wrongCodesKey, 'all:' .. name) end
      redis.call('HINCRBY', wrongCodesKey, 'all:' .. name, 1)
      redis.call('HSET', wrongCodesKey, 'last:' .. name, now)
    end
    redis.call('PEXPIRE', wrongCodesKey, string.format('%d', 8 * halfLife))
    if newClientsPerDay > 0 and not isOwners then
      redis.call('ZREMRANGEBYSCORE', newClientsKey, '-inf', string.format('%d', now - day))
      redis.call('ZADD', newClientsKey, now, request)
      redis.call('PEXPIRE', newClientsKey, day)
    end
    -- Removes clients whose wrong codes no longer count, to bound the memory.
    local size = redis.call('HLEN', wrongCodesKey)
    if size >= 256 and size % 64 <= 5 then
      local fields = redis.call('HGETALL', wrongCodesKey)
      for i = 1, #fields, 2 do
        local name = string.match(fields[i], '^last:(.*)')
        if name and now - fields[i + 1] >= 8 * halfLife then
          redis.call('HDEL', wrongCodesKey, fields[i], 'all:' .. name)
        end
      end
    end
    attempts = attempts - 1
    answers = answers .. '\n' .. request .. ' ' .. attempts
    if attempts > 0 then
      redis.call('HSET', sessionKey, 'attempts', attempts, 'answers', answers)
      return {'wrong', attempts}
    end
  elseif requiresClaim and (claim == '' or redis.call('GET', claimKey) ~= claim) then
    -- A correct code stays valid if there is no room for the account that it needs. Only a client that has the code
    -- learns this: wrong codes have been counted above, and clients that must wait were rejected.
    return 'no-room'
  end

  -- Ends the session: keeps only what later answers need, for a while, and releases the lock, so that a new session can
  -- begin at once. For a correct code this is the first write, and needs no memory.
  local lock = lockPrefix .. session[4]
  local holder = redis.call('GET', lock)
  if holder and string.sub(sessionKey, -#holder) == holder then
    redis.call('DEL', sessionKey, lock)
  else
    redis.call('DEL', sessionKey)
  end
  redis.call('HSET', sessionKey, 'state', isRight and 'used' or 'exhausted', 'request', request)
  if answers ~= '' then redis.call('HSET', sessionKey, 'answers', answers) end
  redis.call('PEXPIRE', sessionKey, tombstoneLife)
  if not isRight then return {'wrong', 0} end

  if lastWrong then redis.call('DEL', wrongCodesKey) end
  local isAdded = redis.call('ZADD', knownClientsKey, now, client) == 1
  -- With a single known client there is nothing to remove.
  if not isAdded or redis.call('ZCARD', knownClientsKey) > 1 then
    redis.call('ZREMRANGEBYSCORE', knownClientsKey, '-inf', string.format('%d', now - knownClientLife))
    redis.call('ZREMRANGEBYRANK', knownClientsKey, '0', lastSurplusClient)
  end
  redis.call('PEXPIRE', knownClientsKey, knownClientLife)
  if session[7] ~= '0' then
    -- USES number-ranges
    countInRanges(regionKey, seriesKey, block, tonumber(now), rangeHalfLife, 0, session[7])
  end
  if session[6] ~= '0' then
    redis.call('HINCRBY', ledgerKey, 'verified:' .. place .. (session[8] or ''), session[6])
    redis.call('PEXPIRE', ledgerKey, ledgerLife)
  end
elseif state == 'used' and session[5] == request and isRight then
  -- A write is required: WAIT confirms the writes of its own connection, and the first execution may have used another.
  redis.call('PEXPIRE', sessionKey, tombstoneLife)
else
  return state
end

local current = redis.call('GET', claimKey)
if not current and claim ~= '' and not requiresClaim then
  current = claim
  redis.call('SET', claimKey, current)
end
if state == 'used' then return {'right', current or ''} end
return {'right', current or '', session[8] or ''}
