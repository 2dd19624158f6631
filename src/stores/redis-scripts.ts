import { createHash } from 'node:crypto';

/** A Lua script and the name the server knows it by (EVALSHA). */
export interface Script {
  text: string;
  sha: string;
}

const toScript = (text: string): Script => ({ text, sha: createHash('sha1').update(text).digest('hex') });

/** Milliseconds for which the server keeps what expired, so that its clock may run ahead of its callers'. */
const graceMs = 60_000;

/** KEYS: workspace. ARGV: expiry, record. Makes the workspace with its first record, unless it is there. */
export const keepWorkspace = toScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('RPUSH', KEYS[1], ARGV[1], ARGV[2])
  redis.call('PEXPIREAT', KEYS[1], ARGV[1] + ${graceMs})
end
return 'added'`);

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
 * KEYS: workspace and, under a key, that key. ARGV: now, expiry, ceiling, record, fingerprint, reply.
 * Answers the result and, for a replay, the kept reply.
 */
export const addRecord = toScript(`
local now = tonumber(ARGV[1])
if KEYS[2] then
  local kept = redis.call('HMGET', KEYS[2], 'expiry', 'fingerprint', 'reply')
  if kept[1] and tonumber(kept[1]) > now then
    if kept[2] ~= ARGV[5] then return {'mismatch'} end
    return {'replay', kept[3]}
  end
end
local expiry = redis.call('LINDEX', KEYS[1], 0)
if not expiry or tonumber(expiry) <= now then return {'unknown'} end
if redis.call('LLEN', KEYS[1]) > tonumber(ARGV[3]) then return {'full'} end
redis.call('RPUSH', KEYS[1], ARGV[4])
if tonumber(ARGV[2]) > tonumber(expiry) then
  redis.call('LSET', KEYS[1], 0, ARGV[2])
  redis.call('PEXPIREAT', KEYS[1], ARGV[2] + ${graceMs})
end
if KEYS[2] then
  redis.call('HSET', KEYS[2], 'expiry', ARGV[2], 'fingerprint', ARGV[5], 'reply', ARGV[6])
  redis.call('PEXPIREAT', KEYS[2], ARGV[2] + ${graceMs})
end
return {'added'}`);
