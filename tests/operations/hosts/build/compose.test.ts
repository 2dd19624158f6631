import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { Environment, readSettings } from '../../../../src/hosts/node/settings.ts';
import { connectTo, makeOne } from '../../../support/data-commands.ts';
import { makeKey, toPem } from '../../../support/receipts.ts';
import { skipsRedis, startRedis } from '../../../support/redis.ts';
import { withServer } from '../../../support/server.ts';
import { deployFolder } from '../../../support/tools.ts';

// No test runs Docker.
const compose = suite('compose.yaml');
const read = (name: string) => readFileSync(join(deployFolder, name), 'utf8');

interface Service {
  profiles: string[];
  image?: string;
  build?: { context: string; dockerfile: string };
  command?: string[];
  env_file?: { path: string; required: boolean }[];
  environment?: Record<string, string | number>;
  network_mode?: string;
  depends_on?: Record<string, object>;
  ports?: string[];
  volumes?: string[];
  healthcheck?: { test: string[] };
  stop_grace_period: string;
  read_only: boolean;
  cap_drop: string[];
}

const file: { services: Record<string, Service>; volumes: Record<string, unknown> } = parse(
  read('compose.yaml'),
  { merge: true },
);
const services = Object.entries(file.services);
const instances = services.filter(([, { build }]) => build);
const inProfile = (profile: string) =>
  services.filter(([, { profiles }]) => profiles.includes(profile)).map(([name]) => name);

/** Replaces `${NAME:-default}` with its default, as Compose does without the variable. */
const fill = (value: unknown) => String(value).replace(/\$\{\w+:-(.*?)\}/g, '$1');
const toEnv = ({ environment = {} }: Service): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(value)]));

compose('has one instance alone, one behind nginx, and two on Redis behind nginx', () => {
  assert.equal(inProfile('single'), ['careers']);
  assert.equal(inProfile('nginx'), ['careers-behind-nginx', 'nginx']);
  assert.equal(inProfile('redis'), ['careers-1', 'careers-2', 'nginx', 'redis']);
});

for (const [name, instance] of instances) {
  compose(`${name} has only settings of the service, and valid ones`, () => {
    const env = toEnv(instance);
    for (const setting of Object.keys(env)) assert.ok(setting in Environment.entries, setting);
    readSettings(env);
  });

  compose(`${name} passes on the settings of settings.env`, () => {
    assert.equal(instance.env_file, [{ path: 'settings.env', required: false }]);
  });

  compose(`${name} has time to stop`, () => {
    const { GRACE_SECONDS, DRAIN_SECONDS } = readSettings(toEnv(instance));
    assert.ok(Number.parseInt(instance.stop_grace_period, 10) >= GRACE_SECONDS + DRAIN_SECONDS + 5);
  });

  compose(`${name} is built from files that are there`, () => {
    const { context, dockerfile } = instance.build!;
    assert.ok(existsSync(resolve(deployFolder, context, dockerfile)));
  });

  compose(`${name} runs on a read-only file system without capabilities`, () => {
    assert.is(instance.read_only, true);
    assert.equal(instance.cap_drop, ['ALL']);
    assert.is(toEnv(instance).DATA_DIR, '/data');
    assert.match(read('Dockerfile'), / DATA_DIR=\/data SQLITE_TMPDIR=\/data$/m);
  });
}

compose('names in each profile only services that the profile has', () => {
  for (const [name, { profiles, network_mode: mode, depends_on: before = {} }] of services)
    for (const profile of profiles)
      for (const other of [...Object.keys(before), ...(mode ? [mode.replace('service:', '')] : [])])
        assert.ok(inProfile(profile).includes(other), `${name} needs ${other} in ${profile}`);
});

compose('mounts files that are there, and volumes that it declares', () => {
  for (const [name, { volumes = [] }] of services)
    for (const volume of volumes) {
      const [source = ''] = volume.split(':');
      const isThere = source.startsWith('.')
        ? existsSync(join(deployFolder, source))
        : source in file.volumes;
      assert.ok(isThere, `${name} mounts ${source}`);
    }
});

compose('publishes ports on this machine alone', () => {
  const ports = services.flatMap(([, service]) => service.ports ?? []).map(fill);
  for (const port of ports) assert.match(port, /^127\.0\.0\.1:/);
});

compose('starts the instances where nginx.conf looks for them', () => {
  const ports = [...read('nginx.conf').matchAll(/server 127\.0\.0\.1:(\d+) /g)].map(([, port]) => port);
  const behind = ['careers-1', 'careers-2'].map((name) => toEnv(file.services[name]!).PORT);
  assert.equal(behind, ports);
});

compose('counts callers by what nginx says of them', () => {
  for (const [name, service] of instances)
    assert.is(readSettings(toEnv(service)).TRUST_PROXY, name === 'careers' ? 0 : 1, name);
});

compose('names no registry', () => {
  for (const [, { image = '' }] of services) assert.not.match(fill(image), '/');
});

const settings = suite('settings.example.env');
const lines = read('settings.example.env').trimEnd().split('\n');
const listed = lines.flatMap((line) => {
  const [, name, value] = /^#?([A-Z_]+)=(.*)$/.exec(line) ?? [];
  return name === undefined ? [] : [[name, value!] as const];
});

settings('has every setting once', () => {
  assert.equal(listed.map(([name]) => name).sort(), Object.keys(Environment.entries).sort());
});

settings('shows the default of each', () => {
  assert.equal(readSettings(Object.fromEntries(listed)), readSettings({}));
});

settings('has only lines that Compose, systemd and kubectl read alike', () => {
  for (const line of lines) assert.match(line, /^(|# .*|#|#?[A-Z_]+=[^\s"'$\\]*)$/);
});

settings('says how to add a key in one line, which the service reads', () => {
  assert.ok(lines.some((line) => line.includes("tr -d '\\n'")));
  readSettings({ SIGNING_KEY: toPem(makeKey()).replaceAll('\n', '') });
});

settings('is what systemd and Kubernetes read', () => {
  const guide = readFileSync(join(deployFolder, '..', '..', 'content', 'guides', 'operating.md'), 'utf8');
  assert.match(read('careers.service'), 'EnvironmentFile=-/etc/careers.env');
  assert.match(guide, 'scripts/deploy/settings.example.env /etc/careers.env');
  assert.match(read('kubernetes.yaml'), '--from-env-file=settings.env');
  assert.match(read('kubernetes.yaml'), /envFrom:\n\s+- secretRef: \{ name: careers \}/);
});

if (!skipsRedis())
  compose('starts a Redis that the service accepts', async () => {
    const options = file.services.redis!.command!.slice(1).map(fill);
    const redis = await startRedis(options);
    const { DATA_DIR: _, ...settings } = toEnv(file.services['careers-1']!);
    const env = { ...settings, PORT: '0', LOG: 'off', STORE_URL: `redis://127.0.0.1:${redis.port}` };
    await withServer(env, async (server) => {
      await makeOne(await connectTo(server));
    });
    await redis.stop();
  });

compose.run();
settings.run();
