-- Judges one answer to a verification session and, when it is right, uses the session up and finds the number's account.
-- KEYS  1 session   2 number → uid   3 lock, 4 open session: both without the binding, which the session knows
-- ARGV  1 now (ms)  2 request id  3 "right" or "wrong"  4 tombstone life (ms)  5 session id  6 uid to give a number without one
-- RETURNS  {"right", uid} | {"wrong", attempts left} | {"used"} | {"exhausted"} | {"expired"}
-- Atomic: of racing answers no more than the allowed attempts are judged, and one right one wins.
-- A front end may repeat a request whose worker died: the same request id is told the same outcome and not counted again.

local session = redis.call('HMGET', KEYS[1], 'state', 'expires', 'attempts', 'binding', 'request', 'uid')
local state, attempts = session[1], tonumber(session[3])
local again = session[5] == ARGV[2]

-- Leaves only what explains later answers, for a while, and lets a new session begin at once.
local function finish(outcome, ...)
  for _, key in ipairs({KEYS[3] .. session[4], KEYS[4] .. session[4]}) do
    if redis.call('GET', key) == ARGV[5] then redis.call('DEL', key) end
  end
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'state', outcome, 'request', ARGV[2], ...)
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end

if not state then return {'expired'} end
if state == 'used' then
  if again and ARGV[3] == 'right' then return {'right', session[6]} end
  return {'used'}
end
if state == 'exhausted' then
  if again then return {'wrong', 0} end
  return {'exhausted'}
end
if tonumber(ARGV[1]) >= tonumber(session[2]) then return {'expired'} end
if again then return {'wrong', attempts} end

if ARGV[3] ~= 'right' then
  attempts = attempts - 1
  if attempts <= 0 then
    finish('exhausted')
  else
    redis.call('HSET', KEYS[1], 'attempts', attempts, 'request', ARGV[2])
  end
  return {'wrong', attempts}
end

local uid = redis.call('GET', KEYS[2])
if not uid then
  uid = ARGV[6]
  redis.call('SET', KEYS[2], uid)
end
finish('used', 'uid', uid)
return {'right', uid}
