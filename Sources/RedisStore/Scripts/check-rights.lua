-- Which commands this user may not run. None of them is executed.
-- ARGV  commands, each with arguments of its form, separated by spaces
-- RETURNS  {command, …}: those that would be refused | 0 where Redis, before 7.0, cannot tell

if not redis.acl_check_cmd then return 0 end
local refused = {}
for _, command in ipairs(ARGV) do
  local words = {}
  for word in string.gmatch(command, '%S+') do table.insert(words, word) end
  if not redis.acl_check_cmd(unpack(words)) then table.insert(refused, command) end
end
return refused
