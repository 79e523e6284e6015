-- Numbers that may have another holder by now: the account last proved its number too long ago. The scripts that come upon the
-- account of a number begin with this text, after those of the events.

-- Whether the account's number was last proven before `provenBefore` (ms) and its user can sign in without it. An account that
-- never proved its number counts from when it was made.
local function isNumberRecycled(account, provenBefore)
  local fields = redis.call('HMGET', account, 'phone-proven', 'created', 'email', 'password')
  return fields[3] and fields[4] and tonumber(fields[1] or fields[2]) < tonumber(provenBefore)
end

-- Answers "ask", and "fresh" by taking the number away from the account: then its claim is void.
local function refuseRecycledNumber(account, uid, answer, claim)
  audit('recycled-number', uid, answer, {claim}, 'server')
  if answer == 'fresh' then redis.call('HDEL', account, 'phone', 'phone-claim', 'phone-verified', 'phone-proven') end
end
