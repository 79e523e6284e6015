-- Whether an account holds a claim that stands with a number, or is about to.
-- KEYS  1 account   2 mark of a deleted account
-- ARGV  1 claim  2 whether it is fresh (0 | 1)  3 life of the mark (ms)
-- RETURNS  1, or 0: then the account will never hold it, not by anybody who is on the way either

local account = redis.call('HMGET', KEYS[1], 'created', 'claim', 'pending-claim')
if not account[1] then
  redis.call('SET', KEYS[2], '', 'PX', ARGV[3], 'NX')
  return 0
end
if account[2] == ARGV[1] then return 1 end
if account[3] ~= ARGV[1] then return 0 end
if ARGV[2] == '1' then return 1 end
redis.call('HDEL', KEYS[1], 'pending-claim', 'pending-phone')
return 0
