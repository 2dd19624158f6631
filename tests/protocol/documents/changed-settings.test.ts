import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { Environment } from '../../../src/hosts/node/settings.ts';
import type { Manifest } from '../../../src/kernel/freeze.ts';
import { withOpenServer } from '../../support/open-host.ts';
import { makeKey, toPem } from '../../support/receipts.ts';
import { redisBinary, startRedis } from '../../support/redis.ts';
import { findPort, makeFolder } from '../../support/server.ts';

const manifestFile = join(import.meta.dirname, '..', '..', '..', 'dist', 'host', 'manifest.json');
const manifest: Manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
const told = suite('documents and pages under the settings of an operator');

interface Change {
  /** A value that is not the default. */
  to: string;
  /** Matches the default in a text. */
  was?: RegExp;
}

const seconds = (count: number) => new RegExp(`\\b${count} ?(?:s|sec|seconds)\\b`);

/** Every variable of the Node host, with a changed value. */
const changes: Record<keyof typeof Environment.entries, Change> = {
  PORT: { to: String(await findPort()), was: /\b4321\b/ },
  HOST: { to: '127.0.0.1' },
  LISTEN: { to: 'unix:/run/careers/careers.sock' },
  BASE_URL: { to: 'https://careers.example.org', was: /localhost/ },
  DATA_DIR: { to: makeFolder(), was: /(?<!\w)\.data\b/ },
  STORE_URL: { to: 'redis://127.0.0.1:6379' },
  STORE_REPLICAS: { to: '2' },
  STORE_DURABILITY: { to: 'second' },
  SIGNING_KEY: { to: toPem(makeKey()) },
  CONTACT: { to: 'mailto:security@example.org' },
  ALLOWED_ORIGINS: { to: 'https://agent.example.org' },
  DECLARE_TEST_SUITE: { to: '1' },
  RETENTION_SECONDS: { to: '5400', was: /\b86,?400\b|\b24[ -]?(?:h|hours?)\b|\b(?:a|one) day\b/i },
  RECORD_CEILING: { to: '77', was: /\b1,?000\b|\ba thousand\b/i },
  METER: { to: 'count' },
  LADDER: { to: 'off' },
  WORK_BITS: { to: '17', was: /\b20 (?:zero )?bits/ },
  CLAIMED_RETENTION_DAYS: { to: '77', was: /\b120[ -]days?\b/ },
  CLAIMED_RECORD_CEILING: { to: '7777', was: /\b10,?000 records\b/ },
  TRUST_PROXY: { to: '1' },
  CDN_BYPASS: { to: 'on' },
  RATE_LIMIT: { to: 'off' },
  RATE_LIMIT_LIVE: { to: '77', was: /\b1,?200\b/ },
  RATE_LIMIT_MINT: { to: '7', was: /\b120 (?:new|workspaces)|\bq=120\b/ },
  BYTES_PER_CLIENT: { to: 'off', was: /\b64 MiB\b/ },
  STORE_BYTES: { to: '5368709120', was: /\b4 GiB\b/ },
  STORE_FREE: { to: '1048576', was: /\b256 MiB\b/ },
  MAX_CONNECTIONS: { to: '777', was: /\b10,?000 connections/ },
  CONNECTIONS_PER_CLIENT: { to: '33', was: /\b256 connections/ },
  HEADER_TIMEOUT_SECONDS: { to: '7', was: seconds(10) },
  REQUEST_TIMEOUT_SECONDS: { to: '8', was: seconds(30) },
  KEEP_ALIVE_SECONDS: { to: '9', was: seconds(65) },
  GRACE_SECONDS: { to: '3', was: seconds(5) },
  DRAIN_SECONDS: { to: '1', was: seconds(10) },
  LOG: { to: 'off' },
  LOG_SAMPLE: { to: '0.5' },
  METRICS: { to: 'on' },
  OPERATOR_TOKEN: { to: 'a-token-that-cannot-be-guessed' },
};

told('this test changes every variable', () => {
  assert.equal(Object.keys(changes).sort(), Object.keys(Environment.entries).sort());
  for (const [name, variable] of Object.entries(Environment.entries)) {
    const { to } = changes[name as keyof typeof changes];
    assert.not.equal(v.parse(variable as v.GenericSchema, to), v.parse(variable, undefined), name);
  }
});

/** Occupations and records contain numbers of their own, and the files of the worker describe the worker. */
const isOther = (path: string) =>
  /^\/(occupations|candidates|job-orders|placements)\b|^\/(worker|_astro|previews)\/|\.js$/.test(path);

/**
 * The one place where documents show defaults: a section of the guide to the settings, in each of its
 * formats.
 */
const guide = /^\/guides\/settings(?:\.\w+)?$/;
const defaults: Record<string, RegExp> = {
  html: /<section[^>]*aria-labelledby="configuration"[\s\S]*?<\/section>/,
  md: /\n## Configuration\n[\s\S]*?(?=\n## )/,
  json: /\\n## Configuration\\n.*?(?=\\n## )/,
};

/** Cuts the table of the tiers from the pricing page, which has the limits of the build. The page must say so. */
function cutBuildLimits(text: string): string {
  assert.match(text, /the limits that this service was built with/);
  const tiers = /<table class="tiers">.*?<\/table>/s;
  assert.match(text, tiers);
  return text.replace(tiers, '');
}

/** Guides whose commands use the default folder and port, so that they can be copied. */
const hasCommands = /^\/guides\/(backup|capacity|keys|redis|upgrade)(?:\.\w+)?$/;

/** Returns the text of a document without that section. Throws if the guide does not have it. */
function toOthers(path: string, text: string): string {
  if (path === '/pricing.html') return cutBuildLimits(text);
  if (!guide.test(path)) return text;
  const section = defaults[path.split('.')[1] ?? 'json']!;
  assert.match(text, section, path);
  return text.replace(section, '');
}

told('the documents show the values that are set, and no default in their place', async () => {
  const redis = redisBinary ? await startRedis() : undefined;
  const env = Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to]));
  // The test connects over TCP.
  env.LISTEN = '';
  env.STORE_URL = redis ? `redis://127.0.0.1:${redis.port}` : '';
  const hold = async ({ origin }: { origin: string }) => {
    const read = async (path: string, accept = '*/*') => {
      const response = await fetch(origin + path, { headers: { Accept: accept } });
      assert.is(response.status, 200, path);
      assert.not.match(JSON.stringify([...response.headers]), /localhost/, path);
      return toOthers(path, await response.text());
    };
    const paths = Object.keys(manifest.addresses).filter((path) => !isOther(path));
    assert.ok(paths.length > 30, String(paths.length));
    const asked = [...paths.map((path) => [path]), ['/'], ['/', 'text/html'], ['/', 'text/markdown']];
    for (const [path, accept] of [...asked, ['/.well-known/security.txt']] as [string, string?][]) {
      // The limits of openings, of a plan and of an authorisation, and the size of a preview picture, are not settings.
      const text = (await read(path, accept)).replaceAll(
        /(?:"maximum"|"maxItems"|&quot;max&quot;):1000\b|[01] to 1,?000\b|at most 1,?000\b|"og:image:width" content="1200"/g,
        '',
      );
      for (const [name, { was }] of Object.entries(changes)) {
        if (/^(DATA_DIR|PORT|BASE_URL)$/.test(name) && hasCommands.test(path)) continue;
        const [found] = was?.exec(text) ?? [];
        const at = text.indexOf(found ?? '');
        assert.is(found, undefined, `${path} tells the default of ${name}: ${text.slice(at - 60, at + 60)}`);
      }
    }
    assert.match(
      await read('/openapi.json'),
      /"contact":\{"email":"security@example\.org"\}.*"seconds":5400/s,
    );
    assert.match(await read('/llms.txt'), /deleted 90 min after/);
    assert.match(await read('/.well-known/security.txt'), /mailto:security@example\.org/);
    assert.match(await read('/.well-known/agents.json'), /"testSuite"/);
    assert.match(await read('/projection.json'), /careers\.example\.org/);
  };
  try {
    await withOpenServer(env, hold);
  } finally {
    await redis?.stop();
  }
});

told.run();
