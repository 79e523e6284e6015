-- Security events. The scripts that change accounts begin with this text. Their last key is the stream of the account's shard, and
-- their last argument what all events of one call have in common, a JSON object, or "" where events are not kept:
--   now (ms), project, actor, isOperator, reference, network, identifiers: claim → kind:keyed hash, of those that the caller knows,
--   oldest (ms): earlier events go, life (ms) of a stream that gets no more events, most events of a stream
-- An event is written in the step that makes the change, so there is never one without the other.

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

-- `claims` are those of the identifiers that the event is about. The actor is the caller's, if no other is named.
local function audit(kind, uid, detail, claims, actor)
  if auditText == '' then return end
  auditCommon = auditCommon or cjson.decode(auditText)
  local identifiers = {}
  for _, claim in ipairs(claims or {}) do table.insert(identifiers, auditCommon.identifiers[claim]) end
  redis.call('XADD', auditStream, 'MINID', '~', auditCommon.oldest, '*', 'at', auditCommon.now, 'kind', kind,
    'project', auditCommon.project, 'uid', uid, 'actor', actor or auditCommon.actor, 'detail', detail,
    'reference', auditCommon.reference, 'network', auditCommon.network, 'identifiers', table.concat(identifiers, ' '))
  redis.call('XTRIM', auditStream, 'MAXLEN', '~', auditCommon.most)
  redis.call('PEXPIRE', auditStream, auditCommon.life)
end
