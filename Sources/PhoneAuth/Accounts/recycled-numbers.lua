-- Numbers that may have been recycled: the account last proved its number too long ago. For scripts that find
-- accounts by number.
-- USES audit

-- Returns whether a claim arose from the code of a test number: see IdentifierClaim.swift.
local function isOfTestNumber(claim) return string.sub(claim, -1) == '*' end

-- Returns whether the account's number was last proven before `provenBefore` (ms) and its user can sign in without it.
-- If the account never proved its number, the time of its creation counts.
local function isNumberRecycled(account, provenBefore)
  local fields = redis.call('HMGET', account, 'phone-proven', 'created', 'email', 'password')
  return fields[3] and fields[4] and tonumber(fields[1] or fields[2]) < tonumber(provenBefore)
end

-- Records the refusal. "fresh" and "test-number" also remove the number from the account, which makes the number's
-- claim void. They also remove the account's maker: an import must not mistake the account for one that it did not
-- complete.
local function refuseRecycledNumber(account, uid, answer, claim)
  audit('recycled-number', uid, answer, {claim}, 'server')
  if answer ~= 'ask' then
    redis.call('HDEL', account, 'phone', 'phone-claim', 'phone-verified', 'phone-proven', 'made-by')
  end
end
