import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { readMetrics } from '../../support/metrics.ts';
import { withServer } from '../../support/server.ts';
import { deployFolder, run, skipsWithout } from '../../support/tools.ts';

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
}

const alerts = suite('alerts');
const file = join(deployFolder, 'alerts.yml');
const rules = (parse(readFileSync(file, 'utf8')) as Rules).groups.flatMap((group) => group.rules);

if (!skipsWithout('promtool')) {
  alerts('promtool takes the rules, and their unit tests hold', () => {
    for (const args of [
      ['check', 'rules', 'alerts.yml'],
      ['test', 'rules', 'alerts.test.yml'],
    ]) {
      const { code, said } = run('promtool', args);
      assert.is(code, 0, said);
      assert.match(said, 'SUCCESS');
    }
  });
}

alerts('every alert is tested, and says what is amiss', () => {
  const tested = readFileSync(join(deployFolder, 'alerts.test.yml'), 'utf8');
  assert.ok(rules.length >= 7);
  for (const { alert, annotations } of rules) {
    assert.ok(annotations.summary, alert);
    assert.match(tested, new RegExp(`alertname: ${alert}\\n\\s+exp_alerts:`), `${alert} is made to fire`);
    assert.match(tested, `alertname: ${alert}, eval_time`, `${alert} is made to keep still`);
  }
});

alerts('every metric and operation that they ask for is told by a running host', async () => {
  await withServer({ METRICS: 'on', LOG: 'off' }, async (server) => {
    const post = (workspace: string) =>
      fetch(`${server.origin}/candidates`, {
        method: 'POST',
        body: '{"name": "A", "onetCode": "15-1252.00"}',
        headers: workspace ? { 'X-Workspace': workspace } : {},
      });
    await post('');
    await post('ws_unknown');
    const samples = await readMetrics(server);
    const text = await (await fetch(`${server.origin}/metrics`)).text();
    const names = rules.flatMap(({ expr }) => expr.match(/\b(?:careers|nodejs|process)_\w+/g) ?? []);
    assert.ok(new Set(names).size >= 6, names.join());
    for (const name of names) {
      const family = name.replace(/_bucket$/, '');
      assert.match(text, new RegExp(`^# TYPE ${family} `, 'm'), name);
    }
    assert.ok([...samples.keys()].some((name) => name.includes('code="unknown_workspace"')));
    assert.ok([...samples.keys()].some((name) => name.includes('operation="createCandidate"')));
    assert.is(samples.get('careers_store_expiry_overdue_seconds'), 0);
    const lag = samples.get('nodejs_eventloop_lag_p99_seconds')!;
    assert.ok(lag >= 0 && lag < 5, String(lag));
  });
});

alerts.run();
