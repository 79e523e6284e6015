-- Stores an authorization code of a session (RFC 6749, 4.1.2), in place of the session's earlier code.
-- USES full-memory, id-token
-- REPEATABLE: the same call stores the same code
-- KEYS  `accountKey`  `codeKey`
-- ARGV  `uid`  `code`: hash of its secret  `clientID` and `redirectURI`: hashes of what the client must present
--       `challenge`: hash of the client's secret  `codeLife` (ms)
-- RETURNS  1 | 0: the ID token is revoked, or an app already has the session
-- The session expires with its code, because the sign-in page keeps no tokens: a code that no app exchanges leaves no
-- session behind. An exchange, or a refresh, restarts the session's idle time.

if isTokenRevoked(accountKey, uid) then return 0 end
-- An app has exchanged a code for the session. A new code would hide a second use of that code.
if redis.call('HEXISTS', codeKey, 'request') == 1 then return 0 end
-- Users must be able to sign in when Redis has reached maxmemory.
writeWhenMemoryIsFull(codeKey)
-- Replaces all fields of an earlier code.
redis.call('HSET', codeKey, 'code', code, 'client-id', clientID, 'redirect-uri', redirectURI, 'challenge', challenge)
redis.call('PEXPIRE', codeKey, codeLife)
redis.call('PEXPIRE', presentedSessionKey, codeLife)
return 1
