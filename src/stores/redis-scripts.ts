import { hash } from 'node:crypto';
import { channel } from './redis-fields.ts';

/** A Lua script, and the digest by which the server knows it (EVALSHA). */
export interface Script {
  text: string;
  sha: string;
  /** Whether a caller relies on what it writes. The replicas must then have it before the caller gets an answer. */
  isKept: boolean;
}

const createScript = (text: string): Script => ({ text, sha: hash('sha1', text), isKept: false });
const createDurableScript = (text: string): Script => ({ ...createScript(text), isKept: true });

/** Milliseconds for which an instance may keep its turn to change a workspace. */
const turnMs = 500;
/** The result of `commit` if another instance has the turn. */
export const otherHasTurn = 2;

/**
 * Writes a change of a workspace. KEYS: its hash. ARGV: the version and the charges that it must have (empty for a new
 * one), the time at which Redis may delete it (0 deletes it now), the instance, 1 if the instance has no other change of
 * the workspace, the number of fields to set, then those with their values, then the fields to delete.
 *
 * Returns 1 if it has written. Returns 0, and writes nothing, if the workspace is not as expected. Then the instance gets
 * the turn: until its last change is written, or for `turnMs`, other instances get `otherHasTurn` and write nothing.
 * Without turns, an instance that has the workspace in memory could change it so often that another one never loads it
 * in time.
 *
 * The first write is the head: a server without memory refuses a script at its first write, and none after it. If the
 * login may not publish, waiting calls of other instances are not woken.
 */
export const commit = createDurableScript(`
local place, instance = KEYS[1], ARGV[4]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local holder, ends = string.match(redis.call('HGET', place, 't') or '', '^(%S+) (%d+)$')
if holder and tonumber(ends) <= now then holder = nil end
if holder and holder ~= instance then return ${otherHasTurn} end
local version, used = redis.call('HGET', place, 'v') or '', redis.call('HGET', place, 'u') or ''
if version ~= ARGV[1] or used ~= ARGV[2] then
  if version ~= '' and ARGV[1] ~= '' and not holder then
    redis.pcall('HSET', place, 't', instance .. ' ' .. string.format('%d', now + ${turnMs}))
  end
  return 0
end
if ARGV[3] == '0' then redis.call('DEL', place)
else
  local sets = tonumber(ARGV[6])
  for at = 7, 6 + 2 * sets, 2 do redis.call('HSET', place, ARGV[at], ARGV[at + 1]) end
  for at = 7 + 2 * sets, #ARGV do redis.call('HDEL', place, ARGV[at]) end
  if ARGV[5] == '1' then redis.call('HDEL', place, 't') end
  redis.call('PEXPIREAT', place, ARGV[3])
end
if ARGV[1] ~= '' then redis.pcall('PUBLISH', '${channel}', place) end
return 1`);

/** ARGV: the version and the charges that a workspace must have, and its new charges. Returns 0 if it has others. */
export const charge = createScript(`
local place = KEYS[1]
if redis.call('HGET', place, 'v') ~= ARGV[1] or redis.call('HGET', place, 'u') ~= ARGV[2] then return 0 end
redis.call('HSET', place, 'u', ARGV[3])
return 1`);

/** KEYS: a token. ARGV: its text (empty deletes it), and when it may be deleted. */
export const writeToken = createDurableScript(`
if ARGV[1] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[1], 'PXAT', ARGV[2]) end
return 1`);

/**
 * Writes the token of a key that makes a workspace. KEYS: the token. ARGV: its text, when it may be deleted, the key of
 * its workspace, and the current time.
 *
 * Returns 0, and writes nothing, if the token is live and leads to another workspace. That workspace may not be written
 * yet, because the token is written first.
 */
export const takeToken = createDurableScript(`
local expiry, current = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%S+)')
local isTaken = current and tonumber(expiry) > tonumber(ARGV[4])
if isTaken and current ~= ARGV[3] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PXAT', ARGV[2])
return 1`);

/**
 * Adds fields to the draft of a workspace that is copied here. KEYS: the draft. ARGV: 1 if it starts empty, then
 * the fields, each before its value. A draft that is not put in place is deleted after an hour.
 */
export const addToDraft = createScript(`
if ARGV[1] == '1' then redis.call('DEL', KEYS[1]) end
for at = 2, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1]) end
redis.call('PEXPIRE', KEYS[1], 3600000)
return 1`);

/**
 * Gives the draft of a workspace its key. KEYS: the draft, and the key. ARGV: when Redis may delete it. Returns 0, and
 * changes nothing, if a workspace has the key.
 */
export const placeDraft = createDurableScript(`
if redis.call('RENAMENX', KEYS[1], KEYS[2]) == 0 then return 0 end
redis.call('PEXPIREAT', KEYS[2], ARGV[1])
return 1`);

/**
 * Counts what one caller used. KEYS: its counter, as `start count before`. ARGV: milliseconds of a window, how many to
 * add whatever the quota, how many more are wanted, and the quota that these must fit in. Returns how many fit, and
 * age, count and before.
 */
export const count = createScript(`
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
