import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAllDocuments } from 'yaml';
import { Environment, readSettings } from '../../../../src/hosts/node/settings.ts';
import { fillIn } from '../../../support/balancers.ts';
import { makeFolder } from '../../../support/server.ts';
import { deployFolder, run, skipsWithout } from '../../../support/tools.ts';

// No test checks the YAML against the schemas of Kubernetes: kubeconform and kubectl are not packages of npm or Debian.
const manifests = suite('example configurations');
const read = (name: string) => readFileSync(join(deployFolder, name), 'utf8');
type Env = Record<string, string>;

/** Seconds that a supervisor waits beyond grace and drain. */
const spareSeconds = 5;
/** Asserts that the variables are settings, and that a supervisor waits as long as a stop takes. */
function holdStop(env: Env, patienceSeconds: number, beforeSeconds = 0): number {
  for (const name of Object.keys(env)) assert.ok(name in Environment.entries, `${name} is a setting`);
  for (const name of ['GRACE_SECONDS', 'DRAIN_SECONDS']) assert.ok(env[name], `${name} is in the file`);
  const { GRACE_SECONDS, DRAIN_SECONDS } = readSettings(env);
  assert.ok(patienceSeconds >= beforeSeconds + GRACE_SECONDS + DRAIN_SECONDS + spareSeconds);
  return GRACE_SECONDS;
}

const unit = read('careers.service');
const directive = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);

manifests('the systemd unit allows for grace and drain, and starts as package.json does', () => {
  const env = Object.fromEntries(directive('Environment').map((pair) => pair.split('=') as [string, string]));
  const { NODE_ENV: _, MALLOC_ARENA_MAX: arenas, ...settings } = env;
  holdStop(settings, Number(directive('TimeoutStopSec')[0]));
  assert.equal(directive('KillSignal'), ['SIGTERM']);
  const options = JSON.parse(read('../../package.json')).scripts.start.match(/--\S+/g).join(' ');
  assert.ok(directive('ExecStart')[0]!.endsWith(` ${options} /opt/careers/main.mjs`));
  const start = `MALLOC_ARENA_MAX=${arenas} node ${options} dist/host/main.mjs`;
  assert.ok(read('../../content/guides/operating.md').includes(`\n${start}\n`));
  assert.ok(read('../run-on-node.mjs').includes(`MALLOC_ARENA_MAX: '${arenas}'`));
  assert.ok(read('Dockerfile').includes(` MALLOC_ARENA_MAX=${arenas} `));
  const [, command] = /^CMD (.*)$/m.exec(read('Dockerfile'))!;
  assert.is(JSON.parse(command!).join(' '), `node ${options} main.mjs`);
  assert.equal(directive('StateDirectory'), [env.DATA_DIR!.replace('/var/lib/', '')]);
});

if (!skipsWithout('systemd-analyze')) {
  manifests('systemd accepts the unit, and rates its sandbox as tight', () => {
    const folder = makeFolder();
    const file = join(folder, 'careers.service');
    const here = fillIn(unit, [
      ['ExecStart=/opt/careers/node', `ExecStart=${process.execPath}`],
      ['WorkingDirectory=/opt/careers', `WorkingDirectory=${folder}`],
    ]);
    writeFileSync(file, here);
    const verified = run('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', file]);
    const ours = verified.said.split('\n').filter((line) => line.includes('careers.service'));
    assert.is(verified.code, 0, verified.said);
    assert.equal(ours, [], verified.said);
    // In tenths, on a scale of 0 (tight) to 10.
    const secured = run('systemd-analyze', ['security', '--offline=true', '--threshold=15', file]);
    assert.is(secured.code, 0, secured.said);
  });
}

manifests('Kubernetes checks health and readiness, and waits for the stop', () => {
  const documents = parseAllDocuments(read('kubernetes.yaml'));
  for (const { errors } of documents) assert.equal(errors, []);
  const [deployment, service, budget] = documents.map((document) => document.toJS());
  const kinds = [deployment, service, budget].map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  assert.equal(kinds, ['apps/v1 Deployment', 'v1 Service', 'policy/v1 PodDisruptionBudget']);
  const { replicas, selector, strategy, template } = deployment.spec;
  const labels = template.metadata.labels;
  assert.equal(selector.matchLabels, labels);
  assert.equal(service.spec.selector, labels);
  assert.equal(budget.spec.selector.matchLabels, labels);
  assert.ok(replicas > budget.spec.minAvailable);
  assert.is(strategy.rollingUpdate.maxUnavailable, 0);
  const [container] = template.spec.containers;
  assert.not.match(container.image, '/', 'no registry is named');
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  assert.is(livenessProbe.httpGet.path, '/healthz');
  assert.is(startupProbe.httpGet.path, '/healthz');
  assert.is(readinessProbe.httpGet.path, '/readyz');
  const ports = container.ports.map(({ name }: { name: string }) => name);
  for (const probe of [livenessProbe, readinessProbe, startupProbe]) {
    assert.ok(ports.includes(probe.httpGet.port));
  }
  assert.ok(ports.includes(service.spec.ports[0].targetPort));
  const env: Env = Object.fromEntries(
    container.env.map(({ name, value }: { name: string; value: string }) => {
      assert.ok(name in Environment.entries, `${name} is a setting`);
      return [name, value];
    }),
  );
  const before = lifecycle?.preStop?.sleep?.seconds ?? 0;
  const grace = holdStop(env, template.spec.terminationGracePeriodSeconds, before);
  const { periodSeconds, timeoutSeconds, failureThreshold } = readinessProbe;
  const seenWithin = periodSeconds * failureThreshold + timeoutSeconds;
  assert.ok(seenWithin < before + grace, `/readyz is seen within ${seenWithin} s of ${grace}`);
  assert.is(template.spec.securityContext.runAsNonRoot, true);
  assert.is(container.securityContext.readOnlyRootFilesystem, true);
  assert.ok(container.volumeMounts.some(({ mountPath }: { mountPath: string }) => mountPath === '/data'));
});

manifests('HAProxy sees an instance stop before its grace is over', () => {
  const [, inter, fall] = /check inter (\d+)s fall (\d+)/.exec(read('haproxy.cfg'))!;
  const { GRACE_SECONDS } = readSettings({});
  assert.ok(Number(inter) * Number(fall) < GRACE_SECONDS);
  const kept = /timeout http-keep-alive (\d+)s/.exec(read('haproxy.cfg'))!;
  const rests = /keepalive_timeout (\d+)s/.exec(read('nginx.conf'))!;
  for (const [, seconds] of [kept, rests]) assert.ok(Number(seconds) < readSettings({}).KEEP_ALIVE_SECONDS);
});

manifests('Caddy lets the instance time out a slow body, and closes idle connections first', () => {
  const secondsOf = (name: string) => Number(new RegExp(`\\t${name} (\\d+)s`).exec(read('Caddyfile'))![1]);
  const { KEEP_ALIVE_SECONDS, REQUEST_TIMEOUT_SECONDS } = readSettings({});
  assert.ok(secondsOf('read_body') > REQUEST_TIMEOUT_SECONDS);
  assert.ok(secondsOf('keepalive') < KEEP_ALIVE_SECONDS);
});

manifests.run();
