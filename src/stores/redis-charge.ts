import { toScript } from './redis-script.ts';

/**
 * What was used of a workspace: the field `u` is its month, and `u1`, `u2` and on have an operation and its calls each,
 * so that none is long enough to cost a workspace its listpack. A version before kept all of it in `u`, as JSON.
 * `toUsed` adds a charge, and answers nothing where `addCharge` does. A charge is its month, its calls and, where there
 * is a limit, the price and the calls included of each operation and what is authorised, all whole numbers.
 */
export const charges = `
local function readUsed(head)
  local month = redis.call('HGET', head, 'u')
  if not month then return nil end
  if string.sub(month, 1, 1) == '[' then
    local old = cjson.decode(month)
    return {month = old[1], calls = old[2], places = {}, last = 0, isNew = true}
  end
  local used = {month = month, calls = {}, places = {}, last = 0}
  while true do
    local text = redis.call('HGET', head, 'u' .. (used.last + 1))
    if not text then return used end
    local name, count = string.match(text, '^(.*) (%d+)$')
    used.last = used.last + 1
    used.calls[name], used.places[name] = tonumber(count), used.last
  end
end
local function toUsedText(head)
  local used = readUsed(head)
  if not used then return '' end
  local words = {used.month}
  for name, count in pairs(used.calls) do words[#words + 1] = name .. ' ' .. string.format('%.0f', count) end
  return table.concat(words, ' ')
end
local function toTotal(calls, rates)
  local total = 0
  for name, rate in pairs(rates) do total = total + math.max(0, (calls[name] or 0) - rate[2]) * rate[1] end
  return total
end
local function toUsed(head, text)
  local month, added, rates, authorised = unpack(cjson.decode(text))
  local used = readUsed(head)
  if not used or used.month < month then
    used = {month = month, calls = {}, places = {}, last = 0, gone = used and used.last, isNew = true}
  end
  local before = rates and toTotal(used.calls, rates)
  for name, count in pairs(added) do used.calls[name] = (used.calls[name] or 0) + count end
  if rates then
    local total = toTotal(used.calls, rates)
    if total > authorised and (total > before or next(added) == nil) then return nil end
  end
  used.added = used.isNew and used.calls or added
  return used
end
local function keepUsed(head, used)
  if used.isNew then redis.call('HSET', head, 'u', used.month) end
  for name in pairs(used.added) do
    local place = used.places[name] or used.last + 1
    used.last = math.max(used.last, place)
    redis.call('HSET', head, 'u' .. place, name .. ' ' .. string.format('%.0f', used.calls[name]))
  end
  for place = used.last + 1, used.gone or 0 do redis.call('HDEL', head, 'u' .. place) end
end
`;

/**
 * KEYS: workspace. ARGV: a charge, the revision that its limit holds at (empty for any). Answers 0 where it is more than
 * is authorised or the workspace is at another revision; nobody is charged in one that is gone.
 */
export const charge = toScript(`${charges}
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then return 1 end
local revision = string.match(redis.call('HGET', KEYS[1], 'h'), '^%d+ (%d+)')
if ARGV[2] ~= '' and ARGV[2] ~= revision then return 0 end
local used = toUsed(KEYS[1], ARGV[1])
if not used then return 0 end
keepUsed(KEYS[1], used)
return 1`);
