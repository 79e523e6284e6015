-- Security events. The scripts that change accounts begin with this text. Their last key is the stream of the account's shard, and
-- their last argument what all events of one call have in common, a JSON object, or "" where events are not kept:
--   now (ms), project, accounts: the key of its accounts without the uid, actor, isOperator, reference, network,
--   identifiers: claim → kind:keyed hash, of those that the caller knows,
--   oldest (ms): earlier events go, life (ms) of a stream that gets no more events, most events of a stream
-- An event is written in the step that makes the change, so there is never one without the other.
--
-- The oldest events make room for new ones, so whoever causes many events could remove the evidence of others. Two kinds of events go to a
-- stream of their own, the overflow, of a tenth of the size, and evict only each other: the creation of anonymous accounts, and what users do
-- beyond their account's allowance. The allowance is a bucket of EVENT_BURST events that gets a new one every EVENT_INTERVAL.

local EVENT_BURST, EVENT_INTERVAL = 50, 17280000

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

-- Whether an event of an account's user is beyond the account's allowance. Counts it if it is not. The account knows until when all that it
-- has used will have come back.
local function isBeyondAllowance(uid)
  local account, now = auditCommon.accounts .. uid, tonumber(auditCommon.now)
  local known = redis.call('HMGET', account, 'created', 'events-used-until')
  if not known[1] then return false end
  local usedUntil = math.max(tonumber(known[2] or 0), now) + EVENT_INTERVAL
  if usedUntil - now > EVENT_BURST * EVENT_INTERVAL then return true end
  redis.call('HSET', account, 'events-used-until', string.format('%d', usedUntil))
  return false
end

-- `claims` are those of the identifiers that the event is about. The actor is the caller's, if no other is named.
local function audit(kind, uid, detail, claims, actor)
  if auditText == '' then return end
  auditCommon = auditCommon or cjson.decode(auditText)
  local identifiers = {}
  for _, claim in ipairs(claims or {}) do table.insert(identifiers, auditCommon.identifiers[claim]) end
  local stream, most = auditStream, auditCommon.most
  -- Whoever signs in with a custom token does so as often as they like, although the service account is the actor.
  local isUsers = not actor and (not auditCommon.isOperator or kind == 'sign-in' or kind == 'sign-up')
  if kind == 'sign-up' and detail == 'anonymous' or isUsers and isBeyondAllowance(uid) then
    stream, most = auditStream .. '-overflow', string.format('%d', math.ceil(most / 10))
  end
  redis.call('XADD', stream, 'MINID', '~', auditCommon.oldest, '*', 'at', auditCommon.now, 'kind', kind,
    'project', auditCommon.project, 'uid', uid, 'actor', actor or auditCommon.actor, 'detail', detail,
    'reference', auditCommon.reference, 'network', auditCommon.network, 'identifiers', table.concat(identifiers, ' '))
  redis.call('XTRIM', stream, 'MAXLEN', '~', most)
  redis.call('PEXPIRE', stream, auditCommon.life)
end
