-- Security events, for scripts that change accounts.
-- USES audit-event
--
-- An event is written in the step that makes the change, so neither exists without the other.
--
-- The oldest events make room for new ones, so anyone who causes many events could erase evidence. Events that an
-- attacker can repeat go to a separate stream, the overflow, which has a tenth of the size and evicts only its own
-- events: all events of anonymous accounts, and events of other users beyond an allowance. Each kind of event has its
-- own allowance, so that a thief cannot use up the allowance of one kind with events of another. An allowance is a
-- token bucket that gains one event every EVENT_INTERVAL. Sign-ins, which record-sign-in.lua writes, have a larger
-- bucket. Accounts younger than ACCOUNT_YOUTH have smaller ones. Deletions always go to the main stream: an account has
-- only one, and creating accounts is rate limited.
-- Fields of the account:
--   anonymous                 present while its user has no way to sign in to it, see account-changes.lua
--   events-used-until         (ms) when the bucket of sign-ins is full again. Absent until the second sign-in: the
--                             account's creation is the only event
--   events-used-until:<kind>  (ms) the same for another kind

-- Returns whether the requester is an operator.
local function isOperator() return select(3, cmsgpack.unpack(auditText)) == '1' end

-- Returns the names of the identifiers that have these claims, each followed by a space.
local function identifierNames(claims)
  local known, names = select(4, cmsgpack.unpack(auditText)), ''
  for _, claim in ipairs(claims or {}) do
    local _, last = string.find(known, '\n' .. claim .. ' ', 1, true)
    if last then names = names .. string.match(known, '%S+', last + 1) .. ' ' end
  end
  return names
end

-- Returns whether an event goes to the overflow. If not, the event is counted against its kind's allowance.
local function overflows(kind, uid)
  local now, accounts, isByOperator = cmsgpack.unpack(auditText)
  local account, field = accounts .. uid, 'events-used-until:' .. kind
  local known = redis.call('HMGET', account, 'created', 'anonymous', field)
  -- Events that the server writes on its own are counted, because users can provoke them.
  if not known[1] or isByOperator == '1' then return false end
  if known[2] then return true end
  if kind == 'account-deleted' then return false end
  local used = usedUntil(false, now, known[1], known[3])
  if not used then return true end
  redis.call('HSET', account, field, used)
  return false
end

-- Writes an event. `claims` are those of the identifiers that the event is about. `actor` defaults to the caller's.
local function audit(kind, uid, detail, claims, actor)
  if auditText == '' then return end
  writeEvent(overflows(kind, uid), kind, uid, detail, identifierNames(claims), actor)
end
