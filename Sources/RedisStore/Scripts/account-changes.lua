-- What changes in an account. The scripts that change one begin with this text.
-- An identifier leads to an account from outside: a number or an e-mail address. It has four fields, named after its kind:
-- itself, sealed, and its claim, and both of another one that the account is about to get.

local identifierKinds = {'phone', 'email'}

-- Notes what is to let go of an account: kind, sealed identifier, claim.
local function noteFormer(formers, kind, sealed, claim)
  if sealed and claim then
    for _, value in ipairs({kind, sealed, claim}) do table.insert(formers, value) end
  end
end

-- Changes an account's fields. `values[first]` says how many get a value; after it stand their names and values, then the
-- names of those that go. With an identifier goes all that belongs to it.
local function changeFields(account, values, first, formers)
  local firstRemoved = first + 1 + 2 * tonumber(values[first])
  if firstRemoved > first + 1 then redis.call('HSET', account, unpack(values, first + 1, firstRemoved - 1)) end
  for i = firstRemoved, #values do
    for _, kind in ipairs(identifierKinds) do
      if values[i] == kind then
        local former = redis.call('HMGET', account, kind, kind .. '-claim')
        noteFormer(formers, kind, former[1], former[2])
        redis.call('HDEL', account, kind .. '-claim', kind .. '-verified', 'pending-' .. kind, 'pending-' .. kind .. '-claim')
      end
    end
    redis.call('HDEL', account, values[i])
  end
end
