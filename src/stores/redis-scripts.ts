import { charges } from './redis-charge.ts';
import { toKeepingScript, toScript } from './redis-script.ts';

/** Kept replies that one change forgets at most, once they expired. */
const repliesAtOnce = 8;

/**
 * The fields of a workspace, short, so that a server can keep them as one listpack:
 *
 * - `h`: its head as one text; `c`: its counts; `s`: its state as JSON;
 * - `o`: the hash that opens it, without its place where it begins with that;
 * - `u`, `u1` and on: what was charged in a month (`charges`);
 * - `m`: what is known of the key that made it;
 * - `d`: how many of its oldest replies were forgotten;
 * - `:NAME`: `kind seq` of the record that has the name, or `@` and the id of what it is another name of;
 * - `+NAME`: how many records hold what has the name;
 * - `=KEY`: which of its replies is that of a key, counted with those forgotten.
 *
 * The list of a kind is in the order of seq, and each of its entries begins with that. An entry of replies is when it
 * expires, the name of its key, its fingerprint and the reply.
 */
const lists = `
local function toList(head, kind) return head .. ':' .. kind end
local function toPlace(list, seq)
  local low, high = 0, redis.call('LLEN', list) - 1
  while low <= high do
    local middle = math.floor((low + high) / 2)
    local there = tonumber(string.match(redis.call('LINDEX', list, middle), '^%d+'))
    if there == seq then return middle, middle end
    if there < seq then low = middle + 1 else high = middle - 1 end
  end
  return nil, low
end
`;

/** Ends with 0 a script that was decided on another revision of a workspace. */
const sameRevision = `
local type = redis.call('TYPE', KEYS[1]).ok
if type == 'none' and ARGV[1] ~= '' or type ~= 'none' and ARGV[1] == '' or type == 'string' then return 0 end
if type == 'hash' and string.match(redis.call('HGET', KEYS[1], 'h'), '^%d+ (%d+)') ~= ARGV[1] then return 0 end
`;

/**
 * KEYS: workspace, its replies. ARGV: hash asked for (empty for any), now, name of a key (empty for none), names.
 * Answers nothing where there is no workspace, the text where another place is told, and else: the kept reply; head,
 * counts, state, what was used, the key that made it and the hash that opens it; bytes and number of replies that
 * expired; then for each name how many hold it and, where it leads to a record, its kind and entry. Nothing stands for
 * what there is not.
 */
export const look = toScript(`${lists} ${charges}
local head, replies = KEYS[1], KEYS[2]
local type = redis.call('TYPE', head).ok
if type == 'string' then return redis.call('GET', head) end
if type ~= 'hash' then return nil end
local now = tonumber(ARGV[2])
local kept = {}
local number = ARGV[3] ~= '' and redis.call('HGET', head, '=' .. ARGV[3])
if number then
  local text = redis.call('LINDEX', replies, number - (redis.call('HGET', head, 'd') or 0))
  local expiry, _, rest = string.match(text or '', '^(%d+) (%S+) (.*)$')
  if expiry and tonumber(expiry) > now then kept = {rest} end
end
local own = redis.call('HMGET', head, 'h', 'o', 'c', 's', 'm')
if #own[2] < 43 then own[2] = string.match(head, '{(.*)}') .. own[2] end
local isOpen = tonumber(string.match(own[1], '^%d+')) > now and (ARGV[1] == '' or ARGV[1] == own[2])
if not isOpen then return {kept} end
local bytes, count = 0, 0
for index = 0, ${repliesAtOnce - 1} do
  local text = redis.call('LINDEX', replies, index)
  if not text or tonumber(string.match(text, '^%d+')) > now then break end
  bytes, count = bytes + #string.match(text, '^%d+ %S+ %S+ (.*)$'), count + 1
end
local found = {kept, {own[1], own[3], own[4] or '', toUsedText(head), own[5] or '', own[2]}, {bytes, count}}
for index = 4, #ARGV do
  local name = ARGV[index]
  local place = redis.call('HGET', head, ':' .. name)
  if place and string.sub(place, 1, 1) == '@' then
    name = string.sub(place, 2)
    place = redis.call('HGET', head, ':' .. name)
  end
  local one = {redis.call('HGET', head, '+' .. name) or '0'}
  local kind, seq = string.match(place or '', '^(.*) (%d+)$')
  local at = kind and toPlace(toList(head, kind), tonumber(seq))
  if at then one = {one[1], kind, redis.call('LINDEX', toList(head, kind), at)} end
  found[#found + 1] = one
end
return found`);

/** KEYS: list of a kind. ARGV: order, seq to come after (empty for none), limit. Answers entries, oldest first. */
export const page = toScript(`${lists}
local order, after, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local at, low = nil, order == 'oldest' and 0 or redis.call('LLEN', KEYS[1])
if after then at, low = toPlace(KEYS[1], after) end
if order == 'oldest' then
  local first = at and at + 1 or low
  return redis.call('LRANGE', KEYS[1], first, first + limit - 1)
end
if low == 0 then return {} end
return redis.call('LRANGE', KEYS[1], math.max(0, low - limit), low - 1)`);

/**
 * KEYS: workspace, its replies, its lists. ARGV: revision that it was decided on (empty where there is to be no
 * workspace), when all of it is to be gone by itself, a charge (empty for none), how many fields to set and, for each,
 * its name and text; then steps of three: what, and two more. Does all of it and answers 1, or 0 where the workspace is
 * another by now, or 2 where its charge is more than is authorised. The fields come first: a server without memory
 * refuses a script at its first write that takes some, and lets it go on after any other.
 */
export const write = toKeepingScript(`${lists} ${charges} ${sameRevision}
local head, replies = KEYS[1], KEYS[2]
local used = ARGV[3] ~= '' and toUsed(head, ARGV[3])
if used == nil then return 2 end
local function write(kind, seq, entry)
  local list = toList(head, kind)
  local at = toPlace(list, tonumber(seq))
  if at then redis.call('LSET', list, at, entry) end
  if at and entry == '' then redis.call('LREM', list, 1, entry) end
end
local steps = {
  add = function(kind, entry) redis.call('RPUSH', toList(head, kind), entry) end,
  replace = function(kind, entry) write(kind, string.match(entry, '^%d+'), entry) end,
  remove = function(kind, seq) write(kind, seq, '') end,
  unset = function(field) redis.call('HDEL', head, field) end,
  hold = function(name, count)
    if redis.call('HINCRBY', head, '+' .. name, count) == 0 then redis.call('HDEL', head, '+' .. name) end
  end,
  keep = function(name, reply)
    local number = redis.call('RPUSH', replies, reply) - 1 + (redis.call('HGET', head, 'd') or 0)
    redis.call('HSET', head, '=' .. name, number)
  end,
  drop = function()
    local name = string.match(redis.call('LPOP', replies), '^%d+ (%S+)')
    local dropped = redis.call('HINCRBY', head, 'd', 1)
    if redis.call('HGET', head, '=' .. name) == tostring(dropped - 1) then redis.call('HDEL', head, '=' .. name) end
  end
}
local last = 4 + 2 * ARGV[4]
for index = 5, last, 1000 do redis.call('HSET', head, unpack(ARGV, index, math.min(last, index + 999))) end
for index = last + 1, #ARGV, 3 do steps[ARGV[index]](ARGV[index + 1], ARGV[index + 2]) end
if used then keepUsed(head, used) end
for _, key in ipairs(KEYS) do redis.call('PEXPIREAT', key, ARGV[2]) end
return 1`);

/**
 * KEYS: workspace, its replies, its lists. ARGV: revision that it was decided on, milliseconds for which nothing is to
 * be made in its place. Forgets it and answers 1, or 0 where it is another by now.
 */
export const forget = toKeepingScript(`${sameRevision}
redis.call('DEL', unpack(KEYS))
redis.call('SET', KEYS[1], '', 'PX', ARGV[2])
return 1`);

const readLive = `
local function readLive(key, now)
  local expiry, rest = string.match(redis.call('GET', key) or '', '^(%d+) (.*)$')
  if expiry and tonumber(expiry) > tonumber(now) then return rest end
end
`;

/** KEYS: a key that makes a workspace. ARGV: now. Answers what is kept under it, if anything. */
export const readKey = toScript(`${readLive} return readLive(KEYS[1], ARGV[1])`);

/**
 * KEYS: a key that makes a workspace. ARGV: now, what to keep under it, when that is to be gone by itself. Keeps it
 * and answers nothing, or answers what is kept there.
 */
export const takeKey = toKeepingScript(`${readLive}
local kept = readLive(KEYS[1], ARGV[1])
if kept then return kept end
redis.call('SET', KEYS[1], ARGV[2], 'PXAT', ARGV[3])
return nil`);

/** KEYS: one. ARGV: a text, when it is to be gone by itself. */
export const point = toKeepingScript("redis.call('SET', KEYS[1], ARGV[1], 'PXAT', ARGV[2]) return 1");

/** KEYS: of one slot. Forgets them. */
export const forgetKeys = toKeepingScript("return redis.call('DEL', unpack(KEYS))");

/** KEYS: a list. Answers all of it. */
export const readList = toScript("return redis.call('LRANGE', KEYS[1], 0, -1)");
