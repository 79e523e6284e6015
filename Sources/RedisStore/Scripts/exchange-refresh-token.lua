-- Looks a refresh token and its account up, and starts the token's idle time anew.
-- KEYS  1 refresh token   2 account, 3 refresh tokens of the account: both without the uid, which the token knows
-- ARGV  1 now (ms)  2 life of an unused refresh token (ms)  3 hash of the refresh token  4 generation that the client has
--       5 whether it gets the next one (0 | 1)  6 how long the generation before the current one is good (ms)
-- RETURNS  {"unknown"} | {"disabled"} | {"no-account"} | {"revoked"} | {"reused"}: just now found out, "revoked" from then on
--          | {"refreshed", uid, time of the sign-in (ms), sign-in provider, the token's own claims or "", generation that the
--          client is to have, the second factor's method and id or "", field, value, …}
-- All generations of a token are one hash. A client that did not get its answer comes with the generation before the current
-- one, soon, and is given the current one again. An older one, or that one later, was copied: the token ends for all its holders.

local now, idleLife, tokenHash = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local presented, rotates, grace = tonumber(ARGV[4]), ARGV[5] == '1', tonumber(ARGV[6])
local token = redis.call('HMGET', KEYS[1],
  'uid', 'signed-in', 'provider', 'issued', 'claims', 'generation', 'rotated', 'reused', 'account-deleted',
  'second-factor', 'second-factor-id')
local uid = token[1]
if not uid then return {'unknown'} end
local account = KEYS[2] .. uid
local state = redis.call('HMGET', account, 'created', 'disabled', 'valid-since')
if not state[1] or token[9] then return {'no-account'} end
if state[2] == '1' then return {'disabled'} end
-- valid-since counts seconds, as tokens do.
if token[8] or state[3] and math.floor(tonumber(token[4]) / 1000) < tonumber(state[3]) then return {'revoked'} end

local current = tonumber(token[6] or 0)
if presented < current and (presented < current - 1 or now >= tonumber(token[7]) + grace) then
  redis.call('HSET', KEYS[1], 'reused', now)
  audit('token-reused', uid, token[3], nil, 'server')
  return {'reused'}
end
if presented >= current and (rotates or presented > current) then
  -- A generation that Redis does not know was given out before Redis lost its last writes.
  current = rotates and presented + 1 or presented
  redis.call('HSET', KEYS[1], 'generation', current, 'rotated', now)
end

redis.call('PEXPIRE', KEYS[1], idleLife)
redis.call('ZADD', KEYS[3] .. uid, now, tokenHash)
redis.call('PEXPIRE', KEYS[3] .. uid, idleLife)
redis.call('HSET', account, 'last-refresh', now)

return described(account,
  {'refreshed', uid, token[2], token[3], token[5] or '', current, token[10] or '', token[11] or ''})
