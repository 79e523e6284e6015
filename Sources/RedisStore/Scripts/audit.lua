-- Security events. The scripts that change accounts begin with this text. Their last key is the stream of the account's shard, and
-- their last argument what all events of one call have in common, a JSON object, or "" where events are not kept:
--   now (ms), project, accounts: the key of its accounts without the uid, actor, isOperator, reference, network,
--   identifiers: claim → kind:keyed hash, of those that the caller knows,
--   oldest (ms): earlier events go, life (ms) of a stream that gets no more events, most events of a stream
-- An event is written in the step that makes the change, so there is never one without the other.
--
-- The oldest events make room for new ones, so anyone who causes many events could remove the evidence of others. What
-- attackers can repeat goes to a stream of its own, the overflow, of a tenth of the size, whose events evict only each
-- other: all events of anonymous accounts, and those of other accounts' users beyond an allowance. Each kind of event
-- has an allowance of its own, so that a thief cannot use up with one kind what the evidence of another needs: a token
-- bucket that gains one event every EVENT_INTERVAL. Sign-ins have a larger one, and accounts that are younger than
-- ACCOUNT_YOUTH smaller ones. Deletions always go to the main stream: an account has one, and creating accounts is rate
-- limited. Fields of the account:
--   anonymous                 present while its user has no way to sign in to it, see account-changes.lua
--   events-used-until         (ms) when its sign-ins' bucket will be full again; the version before counted all kinds of events here
--   events-used-until:<kind>  (ms) the same for another kind

local EVENT_INTERVAL, ACCOUNT_YOUTH = 17280000, 86400000
local SIGN_IN_BURST, CHANGE_BURST = 50, 10
local YOUNG_SIGN_IN_BURST, YOUNG_CHANGE_BURST = 10, 3

local auditStream, auditText, auditCommon = table.remove(KEYS), table.remove(ARGV), nil

-- Whether an operator calls.
local function isOperator()
  if auditText == '' then return false end
  auditCommon = auditCommon or cjson.decode(auditText)
  return auditCommon.isOperator
end

-- The keyed hash of the requester's network; "" if it is unknown or events are not kept.
local function requesterNetwork()
  if auditText == '' then return '' end
  auditCommon = auditCommon or cjson.decode(auditText)
  return auditCommon.network
end

-- Whether an event goes to the overflow. Counts it against its kind's allowance if it does not.
local function overflows(kind, uid, detail)
  local account, now = auditCommon.accounts .. uid, tonumber(auditCommon.now)
  local isSignIn = kind == 'sign-in' or kind == 'sign-up'
  if isSignIn and detail == 'anonymous' then return true end
  local field = isSignIn and 'events-used-until' or 'events-used-until:' .. kind
  -- An account that was just made has no such fields yet.
  local known = kind == 'sign-up' and {auditCommon.now} or redis.call('HMGET', account, 'created', 'anonymous', field)
  if not known[1] then return false end
  -- Anyone who signs in with a custom token does so as often as they like, although the service account is the actor.
  -- What the server does by itself, a user can provoke.
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

-- `claims` are those of the identifiers that the event is about. The actor is the caller's, if no other is named.
local function audit(kind, uid, detail, claims, actor)
  if auditText == '' then return end
  auditCommon = auditCommon or cjson.decode(auditText)
  local identifiers = {}
  for _, claim in ipairs(claims or {}) do table.insert(identifiers, auditCommon.identifiers[claim]) end
  local stream, most = auditStream, auditCommon.most
  if overflows(kind, uid, detail) then
    stream, most = auditStream .. '-overflow', string.format('%d', math.ceil(most / 10))
  end
  redis.call('XADD', stream, 'MINID', '~', auditCommon.oldest, '*', 'at', auditCommon.now, 'kind', kind,
    'project', auditCommon.project, 'uid', uid, 'actor', actor or auditCommon.actor, 'detail', detail,
    'reference', auditCommon.reference, 'network', auditCommon.network, 'identifiers', table.concat(identifiers, ' '))
  redis.call('XTRIM', stream, 'MAXLEN', '~', most)
  redis.call('PEXPIRE', stream, auditCommon.life)
end
