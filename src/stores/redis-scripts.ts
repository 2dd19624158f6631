import { hash } from 'node:crypto';

/** A Lua script and the name the server knows it by (EVALSHA). */
export interface Script {
  text: string;
  sha: string;
  /** Whether what it writes is acknowledged to a caller, so that it must not be lost. */
  isKept: boolean;
}

const toScript = (text: string): Script => ({ text, sha: hash('sha1', text), isKept: false });
const toKeptScript = (text: string): Script => ({ ...toScript(text), isKept: true });

/** Bytes of a piece: a server keeps a hash with longer values in several times the memory (hash-max-listpack-value). */
const pieceBytes = 60;

/**
 * A workspace is a hash, KEYS[1], and a list for each kind of row in the order of `seq`, whose entries are `seq text`.
 * The fields of the hash: `h0`, `h1` and on are its head in pieces, of which the last is not full, `u0` and on what was
 * used in it; `s` its state; `:NAME` and `+NAME` its entries.
 */
const lib = `
local place = KEYS[1]
local function read(name)
  local text, at = '', 0
  repeat
    local piece = redis.call('HGET', place, name .. at) or ''
    text, at = text .. piece, at + 1
  until #piece < ${pieceBytes}
  return text
end
local function keep(name, text)
  for at = 0, math.floor(#text / ${pieceBytes}) do
    redis.call('HSET', place, name .. at, string.sub(text, at * ${pieceBytes} + 1, (at + 1) * ${pieceBytes}))
  end
end
local function isAs(head, used) return read('h') == head and read('u') == used end
local function find(list, seq)
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

/**
 * ARGV: names. Answers nothing where there is no workspace, and else head, what was used and state, then for each name
 * the number of its occupants and, where it leads to a row, kind and entry of that.
 */
export const see = toScript(`${lib}
if redis.call('EXISTS', place) == 0 then return nil end
local seen = {read('h'), read('u'), redis.call('HGET', place, 's') or ''}
for _, name in ipairs(ARGV) do
  local one = {redis.call('HGET', place, '+' .. name) or '0'}
  local kind, seq = string.match(redis.call('HGET', place, ':' .. name) or '', '^(.*) (%d+)$')
  local at = kind and find(place .. ':' .. kind, tonumber(seq))
  if at then one = {one[1], kind, redis.call('LINDEX', place .. ':' .. kind, at)} end
  seen[#seen + 1] = one
end
return seen`);

/** KEYS: list of a kind. ARGV: order, seq to come after (empty for none), limit. Answers entries, oldest first. */
export const page = toScript(`${lib}
local isOldest, after, limit = ARGV[1] == 'oldest', tonumber(ARGV[2]), tonumber(ARGV[3])
local at = isOldest and 0 or redis.call('LLEN', place)
if after then at = select(2, find(place, isOldest and after + 1 or after)) end
if isOldest then return redis.call('LRANGE', place, at, at + limit - 1) end
if at == 0 then return {} end
return redis.call('LRANGE', place, math.max(0, at - limit), at - 1)`);

/** Where a workspace that changed is published, by its key. */
export const channel = 'careers:1:changed';

/**
 * Compares and applies. KEYS: workspace, its lists. ARGV: head and what was used as they were seen (empty for none), head,
 * what was used and state from now on, when all of it may go; then steps of three: what, and two more. Answers 1, or 0
 * where head or what was used is another by now. Without a head all goes. The head is written first: a server without
 * memory refuses a script at its first write, and none after it. Where the login may not publish, those who wait hear of
 * nothing before their end.
 */
export const commit = toKeptScript(`${lib}
if not isAs(ARGV[1], ARGV[2]) then return 0 end
local function publish()
  if ARGV[1] ~= '' then redis.pcall('PUBLISH', '${channel}', place) end
  return 1
end
if ARGV[3] == '' then redis.call('DEL', unpack(KEYS)) return publish() end
keep('h', ARGV[3])
if ARGV[4] ~= ARGV[2] then keep('u', ARGV[4]) end
if ARGV[5] ~= '' then redis.call('HSET', place, 's', ARGV[5]) else redis.call('HDEL', place, 's') end
local steps = {
  link = function(name, link) redis.call('HSET', place, ':' .. name, link) end,
  unlink = function(name) redis.call('HDEL', place, ':' .. name) end,
  occupy = function(name, count)
    if redis.call('HINCRBY', place, '+' .. name, count) == 0 then redis.call('HDEL', place, '+' .. name) end
  end,
  add = function(kind, entry) redis.call('RPUSH', place .. ':' .. kind, entry) end,
  replace = function(kind, entry)
    local list = place .. ':' .. kind
    local at = find(list, tonumber(string.match(entry, '^%d+')))
    if at then redis.call('LSET', list, at, entry) end
  end,
  remove = function(kind, seq)
    local list = place .. ':' .. kind
    local at = find(list, tonumber(seq))
    if at then redis.call('LSET', list, at, '') redis.call('LREM', list, 1, '') end
  end
}
for index = 7, #ARGV, 3 do steps[ARGV[index]](ARGV[index + 1], ARGV[index + 2]) end
for _, key in ipairs(KEYS) do redis.call('PEXPIREAT', key, ARGV[6]) end
return publish()`);

/** ARGV: head and what was used as they were seen, what was used from now on. Answers 1, or 0 where either is another. */
export const charge = toScript(`${lib}
if not isAs(ARGV[1], ARGV[2]) then return 0 end
keep('u', ARGV[3])
return 1`);

/** KEYS: a door. Answers its text. */
export const readDoor = toScript("return redis.call('GET', KEYS[1])");

/**
 * KEYS: a door. ARGV: the text that has to be there (empty for none, * for any), its text from now on (empty for none),
 * when it may go. Answers 0 where another text is there.
 */
export const writeDoor = toKeptScript(`
if ARGV[1] ~= '*' and ARGV[1] ~= (redis.call('GET', KEYS[1]) or '') then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'PXAT', ARGV[3]) end
return 1`);

/**
 * KEYS: what one caller used, as `start count before`. ARGV: milliseconds of a window, how many to add whatever the
 * quota, how many more are wanted, the quota that these have to fit in. Answers how many of them fit, and age, count
 * and before.
 */
export const count = toScript(`
local window, add, wanted, quota = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local start, count, before = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+) (%d+)$')
start, count, before = tonumber(start or now), tonumber(count or 0), tonumber(before or 0)
local age = now - start
if age < 0 then start, age = now, 0 end
if age >= 2 * window then start, count, before, age = now, 0, 0, 0 end
if age >= window then start, count, before, age = start + window, 0, count, age - window end
count = math.max(0, count + add)
local left = quota - count - before * (1 - age / window)
local granted = math.max(0, math.min(wanted, math.floor(left + 1e-9)))
if add == 0 and granted == 0 then return {0, age, count, before} end
count = count + granted
redis.call('SET', KEYS[1], string.format('%.0f %.0f %.0f', start, count, before), 'PX', 2 * window)
return {granted, age, count, before}`);
