-- Verification sessions. Each is a string, because a field of a hash costs more than a line: its state, and what
-- follows in lines. StoredVerification.swift reads it.
--   open, messages sent, messages that its number's ranges count, code source, when it ends (ms), unlocked life (ms),
--   attempts left, binding, client, wider networks, gateway of the last message, wrong answers, when it began (ms),
--   purpose, sealed number
--   used or exhausted, request that ended it, wrong answers
-- A lock holds while its TTL is longer than its session's unlocked life. Wrong answers are of the form
-- `;request attempts-left`. All but the sealed number are without line breaks.

-- Messages, counted messages, code source, end, unlocked life, the lines from attempts to purpose, sealed number.
local RESENT_SESSION = '^open\n(%d+)\n(%d+)\n(%S+)\n(%d+)\n(%d+)\n'
  .. '(%d+\n[^\n]*\n[^\n]*\n[^\n]*\n[^\n]*\n[^\n]*\n%d+\n[^\n]*\n)(.*)$'
-- Messages, counted messages, the three lines before attempts, end of the session, attempts, binding, client, networks,
-- gateway, answers, the lines after them.
local ANSWERED_SESSION = '^open\n(%d+)\n(%d+)\n(%S+\n(%d+)\n%d+)\n(%d+)\n([^\n]*)\n([^\n]*)\n([^\n]*)\n([^\n]*)\n'
  .. '([^\n]*)\n(.*)$'
-- Messages, counted messages, the lines before the gateway, the lines after it.
local SENT_SESSION = '^open\n(%d+)\n(%d+)\n(%S+\n%d+\n%d+\n%d+\n[^\n]*\n[^\n]*\n[^\n]*\n)[^\n]*(\n.*)$'
