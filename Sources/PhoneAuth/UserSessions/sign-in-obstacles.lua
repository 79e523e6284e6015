-- What keeps an existing account from signing in. For scripts that record a sign-in or look ahead at it.
-- USES full-memory, described-account, recycled-numbers, account-changes
-- KEYS  `accountKey`
-- ARGV  `now` (ms)  `uid`
--       `kind` of the identifier that led here or is to be taken, or ""  `claim` of it
--       `isFresh`: whether the claim is fresh (0 | 1)
--       `maker`: identity of the sign-in if it may create the account, else ""
--       `mustCreate`: whether this sign-in must create the account (0 | 1)
--       `password`: sealed password that the account must have, or ""
--       `recycledAnswer` to a sign-in with a possibly recycled number: "ask", "fresh", or "" to allow it
--       `provenBefore`: the number counts as recycled if it was last proven before this time (ms)
--       `need`: "ask" to ask an account that has a second factor for it, a need as JSON, see checkSecondFactor, or ""
--       `firstRevocation`: initial revocation counter of an account that has had no tokens
--       `changes`… of fields, see changeFields
-- OUTCOMES  {"revoked"}: the ID token is revoked | {"too-old"}: the ID token's sign-in is too old
--           | {"disabled"}
--           | {"exists"}: this sign-in did not create the account
--           | {"recycled"}: the user must sign in in another way. With "fresh" the account loses the number and the
--           outcome is "not-held"
--           | {"not-held"}: the account does not hold the claim, or has a different password
--           | {"second-factor", field, value, …}: a second factor is required; the changes were made
--           | {"ended"}: the proof of the first factor has ended | {"unknown-factor"} | {"wrong"}
--           | {"blocked", wrong codes, retry after (ms)}: rejected without verification
--           | {"used"}: the factor was enrolled before | {"enrolled"}: the number is another factor's
--           | {"full"}: the account has the maximum number of factors

-- Returns whether the account is about to take the claim.
local function isAboutToTake(account) return kind ~= '' and account['pending-' .. kind .. '-claim'] == claim end

-- The second factor that the sign-in needs, see checkSecondFactor; false if it needs none or only asks for one.
local neededFactor = need ~= 'ask' and need ~= '' and cjson.decode(need)

-- Starts the counter of an account that has had no tokens. Second-factor proofs carry the counter, too.
local function startRevocations(account)
  if account.revocation then return end
  writeWhenMemoryIsFull(accountKey)
  redis.call('HSET', accountKey, 'revocation', firstRevocation)
end

-- Returns the outcome; nil if nothing keeps the account from signing in. `formers` gets the identifiers to release.
local function obstacle(account, formers)
  -- Before a second factor is verified: otherwise only a wrong one would need memory, or replicas, and not be counted.
  writeWhenMemoryIsFull(accountKey)
  if isTokenRevoked(accountKey, uid) then return {'revoked'} end
  local isPending = isAboutToTake(account)
  if isTooOldToLink(accountKey) and (isPending or sets(changes, 'password')) then
    if isPending then forgetPending(accountKey, kind) end
    return {'too-old'}
  end
  if kind ~= '' and account[kind .. '-claim'] ~= claim and not (isPending and isFresh == '1') then
    if isPending then forgetPending(accountKey, kind) end
    return {'not-held'}
  end
  if password ~= '' and account.password ~= password and not gives(changes, 'password', account.password) then
    return {'not-held'}
  end
  if mustCreate == '1' and account['made-by'] ~= maker then return {'exists'} end
  if account.disabled == '1' then return {'disabled'} end
  if recycledAnswer ~= '' and not isPending and isNumberRecycled(accountKey, provenBefore) then
    refuseRecycledNumber(accountKey, uid, recycledAnswer, claim)
    return recycledAnswer == 'ask' and {'recycled'} or {'not-held'}
  end
  if need == 'ask' and account['second-factors'] then
    startRevocations(account)
    changeFields(accountKey, uid, changes, formers, true)
    return described(accountKey, {'second-factor'})
  end
  return neededFactor and checkSecondFactor(accountKey, neededFactor, tonumber(now))
end
