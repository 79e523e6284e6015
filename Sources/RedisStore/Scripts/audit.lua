-- Security events, for scripts that change accounts.
-- KEYS  `auditKey`: event stream of the account's shard  `auditOverflowKey`: its overflow
-- ARGV  `auditText`: a JSON object with what all events of one call share, or "" if events are not kept:
--   now (ms), project, accounts: the key of its accounts without the uid, actor, isOperator, reference, network,
--   identifiers: claim → kind:keyed hash, of the claims that the caller knows,
--   oldest (ms): earlier events are removed, life (ms) of a stream without new events, most: events of a stream
-- An event is written in the step that makes the change, so neither exists without the other.
--
-- The oldest events make room for new ones, so anyone who causes many events could erase evidence. Events that an
-- attacker can repeat go to a separate stream, the overflow, which has a tenth of the size and evicts only its own
-- events: all events of anonymous accounts, and events of other users beyond an allowance. Each kind of event has its
-- own allowance, so that a thief cannot use up with one kind the allowance of another. An allowance is a token bucket
-- that gains one event every EVENT_INTERVAL. Sign-ins have a larger bucket. Accounts younger than ACCOUNT_YOUTH have
-- smaller ones. Deletions always go to the main stream: an account has only one, and creating accounts is rate limited.
-- Fields of the account:
--   anonymous                 present while its user has no way to sign in to it, see account-changes.lua
--   events-used-until         (ms) when the bucket of sign-ins is full again; in the previous version, of all kinds
--   events-used-until:<kind>  (ms) the same for another kind

local EVENT_INTERVAL, ACCOUNT_YOUTH = 17280000, 86400000
local SIGN_IN_BURST, CHANGE_BURST = 50, 10
local YOUNG_SIGN_IN_BURST, YOUNG_CHANGE_BURST = 10, 3

local auditCommon

-- Returns whether the requester is an operator.
local function isOperator()
  if auditText == '' then return false end
  auditCommon = auditCommon or cjson.decode(auditText)
  return auditCommon.isOperator
end

-- Returns the keyed hash of the requester's network, or "" if the network is unknown or events are not kept.
local function requesterNetwork()
  if auditText == '' then return '' end
  auditCommon = auditCommon or cjson.decode(auditText)
  return auditCommon.network
end

-- Returns whether an event goes to the overflow. If not, the event is counted against its kind's allowance.
local function overflows(kind, uid, detail)
  local account, now = auditCommon.accounts .. uid, tonumber(auditCommon.now)
  local isSignIn = kind == 'sign-in' or kind == 'sign-up'
  if isSignIn and detail == 'anonymous' then return true end
  local field = isSignIn and 'events-used-until' or 'events-used-until:' .. kind
  -- A new account does not have these fields yet.
  local known = kind == 'sign-up' and {auditCommon.now} or redis.call('HMGET', account, 'created', 'anonymous', field)
  if not known[1] then return false end
  -- Custom-token sign-ins are counted: users can repeat them at will, although the service account is the actor. So are
  -- events that the server writes on its own, because users can provoke them.
  if auditCommon.isOperator and not isSignIn then return false end
  if known[2] then return true end
  if kind == 'account-deleted' then return false end
  local isYoung = now < tonumber(known[1]) + ACCOUNT_YOUTH
  local burst = isYoung and YOUNG_CHANGE_BURST or CHANGE_BURST
  if isSignIn then burst = isYoung and YOUNG_SIGN_IN_BURST or SIGN_IN_BURST end
  local usedUntil = math.max(tonumber(known[3] or 0), now) + EVENT_INTERVAL
  if usedUntil - now > burst * EVENT_INTERVAL then return true end
  redis.call('HSET', account, field, string.format('%d', usedUntil))
  return false
end

-- Writes an event. `claims` are those of the identifiers that the event is about. `actor` defaults to the caller's.
local function audit(kind, uid, detail, claims, actor)
  if auditText == '' then return end
  auditCommon = auditCommon or cjson.decode(auditText)
  local identifiers = {}
  for _, claim in ipairs(claims or {}) do table.insert(identifiers, auditCommon.identifiers[claim]) end
  local stream, most = auditKey, auditCommon.most
  if overflows(kind, uid, detail) then
    stream, most = auditOverflowKey, string.format('%d', math.ceil(most / 10))
  end
  redis.call('XADD', stream, 'MINID', '~', auditCommon.oldest, '*', 'at', auditCommon.now, 'kind', kind,
    'project', auditCommon.project, 'uid', uid, 'actor', actor or auditCommon.actor, 'detail', detail,
    'reference', auditCommon.reference, 'network', auditCommon.network, 'identifiers', table.concat(identifiers, ' '))
  redis.call('XTRIM', stream, 'MAXLEN', '~', most)
  redis.call('PEXPIRE', stream, auditCommon.life)
end
