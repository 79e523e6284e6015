-- An account's second factors.
-- USES audit
-- Fields of the account:
--   second-factors          number of second factors; absent if there are none
--   second-factor:<id>      JSON: kind ("phone" | "totp"), number (keyed hash), test ("1" if a test number's code
--                           enrolled it), sealed, name, enrolled (ms), by (request)
--   totp-step:<id>          the last TOTP step accepted; codes of this and earlier steps are replays (RFC 6238, 5.2)
--   recovery-codes          hashes of the unused codes, each preceded by a space; a presented code has a hash under
--                           each index key of the key file
--   second-factor-proof     the TOTP and recovery codes accepted last, and by which requests, see remember
--   second-factor-reverted  see revert-second-factor.lua
--   wrong-second-factors    number of wrong codes since the last correct one
--   wrong-second-factor-at  (ms) the last wrong code
--   wrong-second-factor-by  the last requests with a wrong code, see remember

local SECOND_FACTOR = 'second-factor:'

local function secondFactorID(field)
  return string.sub(field, 1, #SECOND_FACTOR) == SECOND_FACTOR and string.sub(field, #SECOND_FACTOR + 1) or nil
end

local function secondFactor(account, id)
  local text = redis.call('HGET', account, SECOND_FACTOR .. id)
  return text and cjson.decode(text)
end

-- Returns an account's factors by id, unordered.
local function secondFactors(account)
  local fields, found = redis.call('HGETALL', account), {}
  for i = 1, #fields, 2 do
    local id = secondFactorID(fields[i])
    if id then found[id] = cjson.decode(fields[i + 1]) end
  end
  return found
end

-- A field remembers its last ten items, one per line: a repeated request gets the same outcome and is counted once,
-- even after other requests.
local function remembers(list, item)
  return list and string.find('\n' .. list .. '\n', '\n' .. item .. '\n', 1, true) ~= nil
end

local function remember(account, field, item)
  local kept, count = item, 1
  for line in string.gmatch(redis.call('HGET', account, field) or '', '[^\n]+') do
    if count < 10 then kept, count = kept .. '\n' .. line, count + 1 end
  end
  redis.call('HSET', account, field, kept)
end

local function forgetWrongSecondFactors(account)
  redis.call('HDEL', account, 'wrong-second-factors', 'wrong-second-factor-at')
end

-- Counts the factors after a change. Recovery codes replace a lost factor, so they are removed with the last factor.
local function countSecondFactors(account)
  local count = 0
  for _ in pairs(secondFactors(account)) do count = count + 1 end
  if count > 0 then
    redis.call('HSET', account, 'second-factors', count)
  else
    redis.call('HDEL', account, 'second-factors', 'recovery-codes', 'second-factor-proof', 'wrong-second-factor-by')
    forgetWrongSecondFactors(account)
  end
end

local function proofName(need) return table.concat({need.method, need.id, need.answer, need.request}, ' ') end

-- Returns the unused recovery codes and the range (first, last) of one of these hashes in them, or no range.
local function findRecoveryCode(account, hashes)
  local codes = redis.call('HGET', account, 'recovery-codes') or ''
  for hash in string.gmatch(hashes, '%S+') do
    local first, last = string.find(codes, ' ' .. hash, 1, true)
    if first then return codes, first, last end
  end
  return codes
end

-- Verifies a TOTP or recovery code. `answer` is its step or its hash, "" if it is certainly wrong. All wrong codes
-- count against the account (brute force protection). Unlike the count of a number's wrong codes, this count does not
-- decay by half: otherwise anyone who knows the password could guess forever.
local function verifyAnswer(account, need, now)
  local wrong = redis.call('HMGET', account, 'wrong-second-factors', 'wrong-second-factor-at', 'wrong-second-factor-by',
    'second-factor-proof')
  if remembers(wrong[4], proofName(need)) then return nil end
  if remembers(wrong[3], need.request) then return {'wrong'} end
  local count, last, memory = tonumber(wrong[1] or 0), tonumber(wrong[2] or 0), tonumber(need.memory)
  if now >= last + memory then count = 0 end
  local excess, wait = count - tonumber(need.beforeWait), 0
  if count >= tonumber(need.maximum) then
    wait = last + memory - now
  elseif excess >= 0 then
    wait = last + math.min(1000 * 2 ^ excess, tonumber(need.longestWait)) - now
  end
  if wait > 0 then return {'blocked', count, wait} end
  local isRight
  if need.answer == '' then
    isRight = false
  elseif need.method == 'totp' then
    isRight = tonumber(need.answer) > tonumber(redis.call('HGET', account, 'totp-step:' .. need.id) or -1)
  else
    isRight = select(2, findRecoveryCode(account, need.answer)) ~= nil
  end
  if isRight then return nil end
  redis.call('HSET', account, 'wrong-second-factors', count + 1, 'wrong-second-factor-at', string.format('%d', now))
  remember(account, 'wrong-second-factor-by', need.request)
  return {'wrong'}
end

-- Checks a need, see SecondFactorNeed.swift. Returns the refusal, or nil. Only proofs need `now`.
local function checkSecondFactor(account, need, now)
  if need.act == 'prove' then
    -- The first factor's proof ends when its password changes, and with every revocation.
    local state = redis.call('HMGET', account, 'revocation', 'valid-since', 'password-updated')
    if need.revocation ~= (state[1] or '') or need.validSince ~= (state[2] or '')
      or need.passwordUpdated ~= (state[3] or '') then
      return {'ended'}
    end
    if need.method ~= 'recovery-code' then
      local factor = secondFactor(account, need.id)
      if not factor or factor.kind ~= need.method or (factor.number or '') ~= need.number then
        return {'unknown-factor'}
      end
      -- The verification session has already verified the message's code.
      if need.method == 'phone' then return nil end
    end
    return verifyAnswer(account, need, now)
  end
  if need.act == 'recover' then
    return redis.call('HEXISTS', account, 'second-factors') == 0 and {'unknown-factor'} or nil
  end
  local own = secondFactor(account, need.id)
  if need.act == 'withdraw' then return not own and {'unknown-factor'} or nil end
  if own then return {'used'} end
  local count = 0
  for _, factor in pairs(secondFactors(account)) do
    count = count + 1
    if factor.number and factor.number == need.number then return {'enrolled'} end
  end
  return count >= tonumber(need.maximum) and {'full'} or nil
end

-- Uses up the code that was accepted (single use).
local function useSecondFactor(account, uid, need)
  if need.act ~= 'prove' then return end
  forgetWrongSecondFactors(account)
  if need.method == 'phone' then return end
  if remembers(redis.call('HGET', account, 'second-factor-proof'), proofName(need)) then return end
  remember(account, 'second-factor-proof', proofName(need))
  if need.method == 'totp' then
    redis.call('HSET', account, 'totp-step:' .. need.id, need.answer)
  else
    local codes, first, last = findRecoveryCode(account, need.answer)
    redis.call('HSET', account, 'recovery-codes', string.sub(codes, 1, first - 1) .. string.sub(codes, last + 1))
    audit('recovery-code-used', uid, '')
  end
end
