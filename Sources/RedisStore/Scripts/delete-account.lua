-- Deletes an account, and keeps a sign-in that is under way from making it again.
-- KEYS  1 account   2 all accounts of the project   3 refresh tokens of the account   4 mark of a deleted account
-- ARGV  1 uid  2 life of the mark (ms)
-- The tokens themselves stay until their time is up, so that they are told that the account is gone.

redis.call('DEL', KEYS[1], KEYS[3])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('SET', KEYS[4], '1', 'PX', ARGV[2])
