-- Returns the commands that the Redis ACL denies this user. No command is executed.
-- NOT REPEATABLE: for an operator's command, which has no deadline
-- ARGV  `commands`… each with representative arguments, separated by spaces
-- RETURNS  {command, …}: the denied commands | 0 if Redis is older than 7.0, which cannot tell

if not redis.acl_check_cmd then return 0 end
local refused = {}
for _, command in ipairs(commands) do
  local words = {}
  for word in string.gmatch(command, '%S+') do table.insert(words, word) end
  if not redis.acl_check_cmd(unpack(words)) then table.insert(refused, command) end
end
return refused
