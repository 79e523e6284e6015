-- Counts one answer to a verification session: an attempt with a code. A correct code ends the session and finds the
-- number's account.
-- USES verification-session
-- REPEATABLE: the session stores the ids of its requests, see below
-- KEYS  `sessionKey`  `claimKey` number → claim  `lockPrefix`: lock without the binding, which is stored in the session
--       `wrongCodesKey` wrong codes for the number since the last correct one
--       `newClientsKey`: log of new clients' wrong codes for a test number, see rate-limits.lua; unused for others
--       `knownClientsKey` clients that gave a correct code: lines of client and time (ms), the latest first
--       `regionKey`, `seriesKey` and `blockKey` ranges of the number, see number-ranges.lua  `ledgerKey` today's ledger
--       `gatewayCountsKey` messages and verified codes of gateways, by region
-- ARGV  `now` (ms)  `request` id  `claim` for a number that has none, or the required claim, or ""
--       `place` in the ledger, without the gateway
--       `flags`: three digits, each 0 or 1: the code is correct; the request carries an ID token of the account that
--       holds the number; only the required claim is acceptable because there is no room for another account
-- The settings that all answers share are prepended as constants: see AnswerVerification.swift.
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
-- its wrong answers, at most as many as it has attempts. A used session keeps the `request` with the correct code.
-- Code that a correct first answer does not need is in branches, and functions are inlined, because Lua creates each
-- function in every call.

local stored = redis.call('MGET', sessionKey, claimKey, knownClientsKey, regionKey, seriesKey, blockKey)
local session, current, known = stored[1], stored[2], stored[3] or ''
if not session then return 'expired' end
local isRight, requiresClaim = string.sub(flags, 1, 1) == '1', string.sub(flags, 3) == '1'
local messages, counted, origin, ends, attempts, binding, client, networks, gateway, answers, rest =
  string.match(session, ANSWERED_SESSION)
local state, endedBy = 'open', nil
if not messages then state, endedBy, answers = string.match(session, '^(%l+)\n([^\n]*)\n(.*)$') end
if answers ~= '' then
  local _, last = string.find(answers, ';' .. request .. ' ', 1, true)
  if last then return {'wrong', tonumber(string.match(answers, '^%d+', last + 1))} end
end

if state == 'open' then
  local time = tonumber(now)
  if time >= tonumber(ends) then return 'expired' end
  -- Protects against brute force without locking the owner out. All wrong codes count against the number, but only the
  -- client that entered them has to wait, and the last of a number's wrong codes are reserved for known clients.
  -- Otherwise an attacker could lock the owner out: with one answer an hour if every client had to wait, or with a
  -- hundred if nothing were reserved. The count of the number's wrong codes decays by half in each half-life, and is
  -- reset eight half-lives after the last one. An IPv6 client's wrong codes also count for its /56 and its /48, which
  -- have two and four times its allowance. Known clients do not wait for their networks.
  local wrongOfAll, counting = 0, client .. ' ' .. networks
  local lastWrong = redis.call('HGET', wrongCodesKey, 'last')
  local isOwners = string.sub(flags, 2, 2) == '1'
  if not isOwners and (lastWrong or newClientsPerDay > 0) then
    local _, last = string.find(known, client .. ' ', 1, true)
    isOwners = last and time < string.match(known, '^%d+', last + 1) + knownClientLife
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
    for name in string.gmatch(isOwners and client or counting, '%S+') do
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
  local wrongOfNewClients
  if newClientsPerDay > 0 and not isOwners then
    wrongOfNewClients = ''
    local times = {}
    for line, time in string.gmatch(redis.call('GET', newClientsKey) or '', '([^\n]* (%d+)\n)') do
      if tonumber(time) > now - day then
        wrongOfNewClients, times[#times + 1] = wrongOfNewClients .. line, tonumber(time)
      end
    end
    if #times >= newClientsPerDay then
      return {'blocked', 'number', #times, times[#times + 1 - newClientsPerDay] + day - now}
    end
  end

  if not isRight then
    -- The first write needs no memory: see full-memory.lua.
    redis.call('PEXPIRE', wrongCodesKey, string.format('%d', 8 * halfLife))
    redis.call('HSET', wrongCodesKey, 'all', string.format('%.3f', wrongOfAll + 1), 'last', now)
    for name in string.gmatch(counting, '%S+') do
      local last = redis.call('HGET', wrongCodesKey, 'last:' .. name)
      if last and now - last >= 8 * halfLife then redis.call('HDEL', wrongCodesKey, 'all:' .. name) end
      redis.call('HINCRBY', wrongCodesKey, 'all:' .. name, 1)
      redis.call('HSET', wrongCodesKey, 'last:' .. name, now)
    end
    redis.call('PEXPIRE', wrongCodesKey, string.format('%d', 8 * halfLife))
    if wrongOfNewClients then
      redis.call('SET', newClientsKey, wrongOfNewClients .. request .. ' ' .. now .. '\n', 'PX', day)
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
    answers = answers .. ';' .. request .. ' ' .. attempts
    if attempts > 0 then
      local lines = {'open', messages, counted, origin, attempts, binding, client, networks, gateway, answers, rest}
      redis.call('SET', sessionKey, table.concat(lines, '\n'), 'KEEPTTL')
      return {'wrong', attempts}
    end
  elseif requiresClaim and (claim == '' or current ~= claim) then
    -- A correct code stays valid if there is no room for the account that it needs. Only a client that has the code
    -- learns this: wrong codes have been counted above, and clients that must wait were rejected.
    return 'no-room'
  end

  -- Ends the session: keeps only what later answers need, for a while, and releases the lock, so that a new session can
  -- begin at once. For a correct code this is the first write, and needs no memory.
  local lock = lockPrefix .. binding
  local holder = redis.call('GET', lock)
  if holder and string.sub(sessionKey, -#holder) == holder then
    redis.call('DEL', lock)
  else
    redis.call('PEXPIRE', sessionKey, tombstoneLife)
  end
  redis.call('PSETEX', sessionKey, tombstoneLife,
    (isRight and 'used\n' or 'exhausted\n') .. request .. '\n' .. answers)
  if not isRight then return {'wrong', 0} end

  if lastWrong then redis.call('DEL', wrongCodesKey) end
  local clients, count = client .. ' ' .. now .. '\n', 1
  for other, since in string.gmatch(known, '(%S+) (%d+)\n') do
    if other ~= client and count < maximumKnownClients and time < since + knownClientLife then
      clients, count = clients .. other .. ' ' .. since .. '\n', count + 1
    end
  end
  redis.call('PSETEX', knownClientsKey, knownClientLife, clients)
  if counted ~= '0' then
    -- USES number-ranges
    local keys, ranges = {regionKey, seriesKey, blockKey}, {stored[4], stored[5], stored[6]}
    countInRanges(keys, ranges, time, rangeHalfLife, 0, tonumber(counted))
  end
  -- A code counts for a gateway whose message was the only one, as the user did not have to wait for another.
  if explores and messages == '1' and gateway ~= '' then
    -- USES number-ranges
    local field = string.match(place, '^%w+') .. ':' .. gateway
    local counts = redis.call('HGET', gatewayCountsKey, field)
    redis.call('HSET', gatewayCountsKey, field, withCounts(counts, time, rangeHalfLife, 0, 1))
    redis.call('PEXPIRE', gatewayCountsKey, ledgerLife)
  end
  -- Only the first verified message of a place sets the TTL.
  if messages ~= '0'
    and redis.call('HINCRBY', ledgerKey, 'verified:' .. place .. gateway, messages) == tonumber(messages) then
    redis.call('PEXPIRE', ledgerKey, ledgerLife)
  end
elseif state == 'used' and endedBy == request and isRight then
  -- A write is required: WAIT confirms the writes of its own connection, and the first execution may have used another.
  redis.call('PEXPIRE', sessionKey, tombstoneLife)
else
  return state
end

if not current and claim ~= '' and not requiresClaim then
  current = claim
  redis.call('SET', claimKey, current)
end
if state == 'used' then return {'right', current or ''} end
return {'right', current or '', gateway}
