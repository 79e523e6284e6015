-- Changes to an account.
-- USES audit, id-token, second-factors
--
-- An identifier is a number or an e-mail address by which a user signs in. An account has these fields for each kind:
--   <kind>, <kind>-claim                  the sealed identifier and its claim
--   pending-<kind>, pending-<kind>-claim  the same for another identifier that the account is about to take
--   pending-email-revokes                 if present, taking the pending address revokes the tokens issued before this
--                                         time (s); if a worker dies, another request may take the address
-- Field `anonymous` is present while the user has no way to sign in to the account: from an anonymous sign-up until the
-- account takes an identifier or a custom token signs in to it. Accounts created before the field existed do not have
-- it.

local identifierKinds = {'phone', 'email'}

-- Records a former identifier to release: kind, sealed identifier, claim.
local function noteFormer(formers, kind, sealed, claim)
  if sealed and claim then
    for _, value in ipairs({kind, sealed, claim}) do table.insert(formers, value) end
  end
end

-- Revokes all tokens of an account, for changes that do not set valid-since themselves.
local function revokeTokensOf(uid, account, validSince)
  redis.call('HSET', account, 'valid-since', revokeTokens(account, validSince))
  audit('tokens-revoked', uid, '')
end

-- Removes an account's pending identifier of this kind.
local function forgetPending(account, kind)
  local pending = 'pending-' .. kind
  redis.call('HDEL', account, pending, pending .. '-claim', pending .. '-revokes')
end

-- Removes what the user has proven about an identifier that the account no longer has. The account remembers that its
-- user had verified an address: another one, unverified, never opens it.
local function forgetProof(account, kind)
  if redis.call('HDEL', account, kind .. '-verified') == 1 then
    redis.call('HSET', account, kind .. '-verified-before', '1')
  end
  redis.call('HDEL', account, kind .. '-link', kind .. '-proven')
end

-- Writes the event for an account that has taken an identifier. `formerClaim` is the claim that it replaces, if any.
local function auditTaken(uid, kind, claim, formerClaim)
  local source = string.sub(claim, -1) == '*' and 'test-number' or ''
  if formerClaim then
    audit(kind == 'phone' and 'number-change' or 'email-change', uid, source, {claim, formerClaim})
  else
    audit('link', uid, source == '' and kind or kind .. ' ' .. source, {claim})
  end
end

-- Fields whose changes have audit events of their own.
local fieldsWithEvents = {password = true, ['password-updated'] = true, ['valid-since'] = true, disabled = true,
  phone = true, email = true, ['recovery-codes'] = true}

local function hasEvent(field)
  return fieldsWithEvents[field] or secondFactorID(field) or string.sub(field, 1, 10) == 'totp-step:'
end

-- Returns whether changes, in the form that changeFields takes, set a field to this value.
local function gives(changes, field, value)
  for i = 2, 2 * changes[1], 2 do
    if changes[i] == field and changes[i + 1] == value then return true end
  end
  return false
end

-- Returns whether changes set a field to any value.
local function sets(changes, field)
  for i = 2, 2 * changes[1], 2 do
    if changes[i] == field then return true end
  end
  return false
end

-- Returns whether the account is disabled after these changes.
local function disables(changes) return gives(changes, 'disabled', '1') end

-- Returns whether a factor is the account's existing factor with this id, not a replacement.
local function isOwnSecondFactor(account, id, text)
  local own = secondFactor(account, id)
  return own and own.by == cjson.decode(text).by
end

-- Changes an account's fields. The first of the changes is the number of fields to set. Their names and values follow,
-- then the names of the fields to remove. Removing an identifier removes all fields that belong to it. `writesEvents`
-- is whether the changes write audit events: false while the account is being created.
local function changeFields(account, uid, changes, formers, writesEvents)
  local firstRemoved, others, changesFactors = 2 + 2 * changes[1], {}, false
  for i = 2, firstRemoved - 1, 2 do
    local id = secondFactorID(changes[i])
    if id then
      changesFactors = true
      -- The TOTP steps of the former secret do not apply to the new one.
      if not isOwnSecondFactor(account, id, changes[i + 1]) then redis.call('HDEL', account, 'totp-step:' .. id) end
    end
    -- Wrong second factors required the former password, so their count starts over.
    if changes[i] == 'password-updated' then forgetWrongSecondFactors(account) end
    if changes[i] == 'valid-since' and writesEvents then changes[i + 1] = revokeTokens(account, changes[i + 1]) end
  end
  for i = 2, writesEvents and firstRemoved - 1 or 0, 2 do
    -- Rehashing a password does not change password-updated.
    if changes[i] == 'password-updated' then audit('password-change', uid, 'set') end
    local id = secondFactorID(changes[i])
    if id and isOwnSecondFactor(account, id, changes[i + 1]) then
      if redis.call('HGET', account, changes[i]) ~= changes[i + 1] then table.insert(others, 'second-factor') end
    elseif id then
      local former = secondFactor(account, id)
      if former then audit('second-factor-withdrawn', uid, former.kind) end
      audit('second-factor-enrolled', uid, cjson.decode(changes[i + 1]).kind)
    end
    if changes[i] == 'recovery-codes' then audit('recovery-codes-made', uid, '') end
    if changes[i] == 'valid-since' then audit('tokens-revoked', uid, '') end
    if changes[i] == 'disabled' and redis.call('HGET', account, 'disabled') ~= '1' then
      audit('account-disabled', uid, '')
    end
    if not hasEvent(changes[i]) then table.insert(others, changes[i]) end
  end
  if firstRemoved > 2 then redis.call('HSET', account, unpack(changes, 2, firstRemoved - 1)) end
  for i = firstRemoved, #changes do
    for _, kind in ipairs(identifierKinds) do
      if changes[i] == kind then
        local former = redis.call('HMGET', account, kind, kind .. '-claim')
        noteFormer(formers, kind, former[1], former[2])
        if former[2] then audit('unlink', uid, kind, {former[2]}) end
        redis.call('HDEL', account, kind .. '-claim')
        forgetProof(account, kind)
        forgetPending(account, kind)
      end
    end
    local id = secondFactorID(changes[i])
    local factor = id and secondFactor(account, id)
    if factor then
      changesFactors = true
      audit('second-factor-withdrawn', uid, factor.kind)
      redis.call('HDEL', account, 'totp-step:' .. id)
    end
    local existed = redis.call('HDEL', account, changes[i]) == 1
    if existed and changes[i] == 'password' then audit('password-change', uid, 'removed') end
    if existed and changes[i] == 'disabled' then audit('account-enabled', uid, '') end
    if existed and not hasEvent(changes[i]) then table.insert(others, changes[i]) end
  end
  if changesFactors then countSecondFactors(account) end
  if #others > 0 and writesEvents and isOperator() then audit('admin-change', uid, table.concat(others, ' ')) end
end
