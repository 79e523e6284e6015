-- What changes in an account. The scripts that change one begin with this text, after those of the events, ID tokens
-- and second factors. An identifier leads to an account from outside: a number or an e-mail address. Its fields are
-- named after its kind: itself, sealed, and its claim, and both of another one that the account is about to get
-- (pending-…). pending-email-revokes is present if the step that takes the address revokes the account's tokens: the
-- time (s) before which they end. That step may be another request's, if a worker dies.
--
-- Field `anonymous` is present while the account's user has no way to sign in to it: since an anonymous sign-up, until
-- the account takes an identifier or a custom token signs in to it. Accounts of versions before the field do not have it.

local identifierKinds = {'phone', 'email'}

-- Sorted set: anonymous accounts of a project's shard by the time (ms) when they were last known to be used. `users` is
-- the set of all accounts. An account that is no longer anonymous may still be in it.
local function anonymousUsers(users) return users .. ':anonymous' end

-- Notes what is to let go of an account: kind, sealed identifier, claim.
local function noteFormer(formers, kind, sealed, claim)
  if sealed and claim then
    for _, value in ipairs({kind, sealed, claim}) do table.insert(formers, value) end
  end
end

-- Revokes all tokens of an account, by a change that does not say so itself.
local function revokeTokensOf(uid, account, validSince)
  redis.call('HSET', account, 'valid-since', revokeTokens(account, validSince))
  audit('tokens-revoked', uid, '')
end

-- Removes the note that an account is about to get an identifier.
local function forgetPending(account, kind)
  local pending = 'pending-' .. kind
  redis.call('HDEL', account, pending, pending .. '-claim', pending .. '-revokes')
end

-- Tells that an account takes an identifier, in place of the one of a former claim, if there is one.
local function auditTaken(uid, kind, claim, formerClaim)
  if formerClaim then
    audit(kind == 'phone' and 'number-change' or 'email-change', uid, '', {claim, formerClaim})
  else
    audit('link', uid, kind, {claim})
  end
end

-- What has an event of its own.
local toldFields = {password = true, ['password-updated'] = true, ['valid-since'] = true, disabled = true, phone = true, email = true,
  ['recovery-codes'] = true}

local function isTold(field)
  return toldFields[field] or secondFactorID(field) or string.sub(field, 1, 10) == 'totp-step:'
end

-- Whether changes, as changeFields gets them, give a field this value.
local function gives(values, first, field, value)
  for i = first + 1, first + 2 * tonumber(values[first]), 2 do
    if values[i] == field and values[i + 1] == value then return true end
  end
  return false
end

-- Whether changes give a field any value.
local function sets(values, first, field)
  for i = first + 1, first + 2 * tonumber(values[first]), 2 do
    if values[i] == field then return true end
  end
  return false
end

-- Whether changes end with the account disabled.
local function disables(values, first) return gives(values, first, 'disabled', '1') end

-- Whether a factor is the one that an account has under its id, and not one that takes its place.
local function isOwnSecondFactor(account, id, text)
  local own = secondFactor(account, id)
  return own and own.by == cjson.decode(text).by
end

-- Changes an account's fields. `values[first]` says how many get a value; after it stand their names and values, then the
-- names of those that go. With an identifier goes all that belongs to it. `tells` is whether there are events of it: not
-- where the account is just being made.
local function changeFields(account, uid, values, first, formers, tells)
  local firstRemoved, others, changesFactors = first + 1 + 2 * tonumber(values[first]), {}, false
  for i = first + 1, firstRemoved - 1, 2 do
    local id = secondFactorID(values[i])
    if id then
      changesFactors = true
      -- The steps of another secret say nothing of this one.
      if not isOwnSecondFactor(account, id, values[i + 1]) then redis.call('HDEL', account, 'totp-step:' .. id) end
    end
    -- Whoever tried second factors knew the former password.
    if values[i] == 'password-updated' then forgetWrongSecondFactors(account) end
    if values[i] == 'valid-since' and tells then values[i + 1] = revokeTokens(account, values[i + 1]) end
  end
  for i = first + 1, tells and firstRemoved - 1 or 0, 2 do
    -- A password that is only hashed anew keeps its time.
    if values[i] == 'password-updated' then audit('password-change', uid, 'set') end
    local id = secondFactorID(values[i])
    if id and isOwnSecondFactor(account, id, values[i + 1]) then
      if redis.call('HGET', account, values[i]) ~= values[i + 1] then table.insert(others, 'second-factor') end
    elseif id then
      local former = secondFactor(account, id)
      if former then audit('second-factor-withdrawn', uid, former.kind) end
      audit('second-factor-enrolled', uid, cjson.decode(values[i + 1]).kind)
    end
    if values[i] == 'recovery-codes' then audit('recovery-codes-made', uid, '') end
    if values[i] == 'valid-since' then audit('tokens-revoked', uid, '') end
    if values[i] == 'disabled' and redis.call('HGET', account, 'disabled') ~= '1' then
      audit('account-disabled', uid, '')
    end
    if not isTold(values[i]) then table.insert(others, values[i]) end
  end
  if firstRemoved > first + 1 then redis.call('HSET', account, unpack(values, first + 1, firstRemoved - 1)) end
  for i = firstRemoved, #values do
    for _, kind in ipairs(identifierKinds) do
      if values[i] == kind then
        local former = redis.call('HMGET', account, kind, kind .. '-claim')
        noteFormer(formers, kind, former[1], former[2])
        if former[2] then audit('unlink', uid, kind, {former[2]}) end
        redis.call('HDEL', account, kind .. '-claim', kind .. '-verified', kind .. '-proven')
        forgetPending(account, kind)
      end
    end
    local id = secondFactorID(values[i])
    local factor = id and secondFactor(account, id)
    if factor then
      changesFactors = true
      audit('second-factor-withdrawn', uid, factor.kind)
      redis.call('HDEL', account, 'totp-step:' .. id)
    end
    local wasThere = redis.call('HDEL', account, values[i]) == 1
    if wasThere and values[i] == 'password' then audit('password-change', uid, 'removed') end
    if wasThere and values[i] == 'disabled' then audit('account-enabled', uid, '') end
    if wasThere and not isTold(values[i]) then table.insert(others, values[i]) end
  end
  if changesFactors then countSecondFactors(account) end
  if #others > 0 and tells and isOperator() then audit('admin-change', uid, table.concat(others, ' ')) end
end
