import { createHash } from 'node:crypto';

/** A Lua script and the name the server knows it by (EVALSHA). */
export interface Script {
  text: string;
  sha: string;
}

const toScript = (text: string): Script => ({ text, sha: createHash('sha1').update(text).digest('hex') });

/** Milliseconds for which the server keeps what expired, so that its clock may run ahead of its callers'. */
const graceMs = 60_000;

/**
 * Beside the list of a workspace stands a hash of places: `size` (how many records) and `bytes` (of their facts), and by its names the
 * place of each: its id, and for a placement `>` and the id of what it holds. A workspace that an older version
 * made has none, or one that lags behind: it is gone through once.
 */
const places = `
local function bytesOf(record) return #(string.match(record, '"fact":(.*)}$') or record) end
local function note(places, place, record, names)
  redis.call('HSET', places, 'size', place)
  redis.call('HINCRBY', places, 'bytes', bytesOf(record))
  for _, name in ipairs(names) do redis.call('HSETNX', places, name, place) end
end
local function catchUp(list, places)
  local size = redis.call('LLEN', list) - 1
  local noted = tonumber(redis.call('HGET', places, 'size') or 0)
  if noted == size then return size end
  for index, text in ipairs(redis.call('LRANGE', list, noted + 1, -1)) do
    local ok, record = pcall(cjson.decode, text)
    local fact = ok and record.fact or {}
    local names = {fact.id}
    if fact.candidateId then names = {fact.id, '>' .. fact.candidateId, '>' .. fact.jobOrderId} end
    note(places, noted + index, text, names)
  end
  redis.call('PEXPIREAT', places, redis.call('LINDEX', list, 0) + ${graceMs})
  return size
end
`;

/**
 * KEYS: workspace, its places. ARGV: expiry, record, names. Makes the workspace with its first record, unless it is
 * there.
 */
export const keepWorkspace = toScript(`${places}
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('RPUSH', KEYS[1], ARGV[1], ARGV[2])
  redis.call('DEL', KEYS[2])
  note(KEYS[2], 1, ARGV[2], {unpack(ARGV, 3)})
  for _, key in ipairs(KEYS) do redis.call('PEXPIREAT', key, ARGV[1] + ${graceMs}) end
end
return 'added'`);

/**
 * KEYS: workspace, its places. ARGV: now, ids. Answers the expiry, the bytes of all records (empty where they were
 * not counted yet) and then place and text of each record with one of the ids, and of a placement that holds it;
 * nothing where there is no workspace.
 */
export const findRecords = toScript(`${places}
local expiry = redis.call('LINDEX', KEYS[1], 0)
if not expiry or tonumber(expiry) <= tonumber(ARGV[1]) then return {} end
local found = {expiry, redis.call('HGET', KEYS[2], 'bytes') or ''}
if #ARGV > 1 then catchUp(KEYS[1], KEYS[2]) end
for index = 2, #ARGV do
  for _, name in ipairs({ARGV[index], '>' .. ARGV[index]}) do
    local place = redis.call('HGET', KEYS[2], name)
    if place and name ~= 'size' and name ~= 'bytes' then
      found[#found + 1] = place
      found[#found + 1] = redis.call('LINDEX', KEYS[1], place)
    end
  end
end
return found`);

/**
 * KEYS: keyless key. ARGV: now, expiry, fingerprint, reply, workspace, record. Takes the key and answers nil,
 * or answers what it was taken with.
 */
export const takeKey = toScript(`
local kept = redis.call('HMGET', KEYS[1], 'expiry', 'fingerprint', 'reply', 'workspace', 'record')
if kept[1] and tonumber(kept[1]) > tonumber(ARGV[1]) then return kept end
redis.call('HSET', KEYS[1], 'expiry', ARGV[2], 'fingerprint', ARGV[3], 'reply', ARGV[4],
  'workspace', ARGV[5], 'record', ARGV[6])
redis.call('PEXPIREAT', KEYS[1], ARGV[2] + ${graceMs})
return nil`);

/**
 * KEYS: workspace, its places and, under a key, that key. ARGV: now, expiry, ceilings of records and bytes, record,
 * fingerprint, reply, names. Answers the result and, for a replay, the kept reply.
 */
export const addRecord = toScript(`${places}
local now = tonumber(ARGV[1])
if KEYS[3] then
  local kept = redis.call('HMGET', KEYS[3], 'expiry', 'fingerprint', 'reply')
  if kept[1] and tonumber(kept[1]) > now then
    if kept[2] ~= ARGV[6] then return {'mismatch'} end
    return {'replay', kept[3]}
  end
end
local expiry = redis.call('LINDEX', KEYS[1], 0)
if not expiry or tonumber(expiry) <= now then return {'unknown'} end
local size = catchUp(KEYS[1], KEYS[2])
local bytes = tonumber(redis.call('HGET', KEYS[2], 'bytes'))
if size >= tonumber(ARGV[3]) or bytes + bytesOf(ARGV[5]) > tonumber(ARGV[4]) then return {'full'} end
redis.call('RPUSH', KEYS[1], ARGV[5])
note(KEYS[2], size + 1, ARGV[5], {unpack(ARGV, 8)})
if tonumber(ARGV[2]) > tonumber(expiry) then
  redis.call('LSET', KEYS[1], 0, ARGV[2])
  redis.call('PEXPIREAT', KEYS[1], ARGV[2] + ${graceMs})
  redis.call('PEXPIREAT', KEYS[2], ARGV[2] + ${graceMs})
end
if KEYS[3] then
  redis.call('HSET', KEYS[3], 'expiry', ARGV[2], 'fingerprint', ARGV[6], 'reply', ARGV[7])
  redis.call('PEXPIREAT', KEYS[3], ARGV[2] + ${graceMs})
end
return {'added'}`);
