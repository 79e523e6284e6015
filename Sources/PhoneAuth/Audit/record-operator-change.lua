-- Records an operator's change that is not about an account.
-- USES audit-event
-- NOT REPEATABLE: the log might have the change twice; the operator repeats the command
-- ARGV  `detail`: what was changed, in one line  `names` of identifiers, each followed by a space
-- RETURNS  1

writeEvent(false, 'operator-change', '', detail, names)
return 1
