import { createHash } from 'node:crypto';
import type { Counted, Counting } from '../records/rate-counter.ts';
import { toScript } from './redis-script.ts';

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
if age < 0 or age >= 2 * window then start, count, before, age = now, 0, 0, 0 end
if age >= window then start, count, before, age = start + window, 0, count, age - window end
count = math.max(0, count + add)
local left = quota - count - before * (1 - age / window)
local granted = math.max(0, math.min(wanted, math.floor(left + 1e-9)))
if add == 0 and granted == 0 then return {0, age, count, before} end
count = count + granted
redis.call('SET', KEYS[1], string.format('%.0f %.0f %.0f', start, count, before), 'PX', 2 * window)
return {granted, age, count, before}`);

/** What is counted under a name, as a key that does not tell it: the name holds the address of a caller. */
export const toCountKey = (name: string) =>
  `careers:2:rate:{${createHash('sha256').update(name).digest('base64url').slice(0, 22)}}`;

export const toCountValues = ({ windowMs, add, wanted, quota }: Counting) =>
  [windowMs, add, wanted, quota].map(String);

export function fromCounted(answer: unknown): Counted {
  const [granted, age, count, before] = answer as [number, number, number, number];
  return { granted, age, count, before };
}
