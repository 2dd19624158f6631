import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../../support/http.ts';
import { findPort, makeFolder, withServer } from '../../../support/server.ts';
import { deployFolder, skipsWithout } from '../../../support/tools.ts';

interface Dashboard {
  panels: { title: string; targets: { expr: string; legendFormat: string }[] }[];
}

const dashboard = suite('the dashboard');
const { panels } = JSON.parse(readFileSync(join(deployFolder, 'grafana.json'), 'utf8')) as Dashboard;
/** Queries that show nothing as long as nothing fails. */
const quiet = ['careers_store_failures_total'];
const toQuery = (expr: string) => expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '5s');

/** Starts a Prometheus that watches a host, and returns the result of a query once there is one. */
async function withPrometheus(target: string, use: (find: (query: string) => Promise<object[]>) => unknown) {
  const folder = makeFolder();
  const job = { job_name: 'careers', static_configs: [{ targets: [target] }] };
  const global = { scrape_interval: '1s' };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify({ global, scrape_configs: [job] }));
  const place = `127.0.0.1:${await findPort()}`;
  const flags = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${folder}`,
    `--web.listen-address=${place}`,
  ];
  const child = spawn('prometheus', flags, { stdio: 'ignore' });
  const ask = async (query: string) => {
    const response = await fetch(`http://${place}/api/v1/query?${new URLSearchParams({ query })}`);
    // Prometheus answers 503 until it has started.
    if (response.status === 503) return [];
    const { status, data, error } = (await response.json()) as {
      status: string;
      data: { result: object[] };
      error?: string;
    };
    assert.is(status, 'success', `${query}: ${error}`);
    return data.result;
  };
  async function find(query: string): Promise<object[]> {
    for (let tries = 0; tries < 300; tries += 1) {
      const found = await ask(query).catch((error: Error) => {
        if (error instanceof TypeError) return [];
        throw error;
      });
      if (found.length > 0) return found;
      await pause(200);
    }
    return [];
  }
  try {
    await find('up == 1');
    await use(find);
  } finally {
    child.kill('SIGKILL');
  }
}

if (!skipsWithout('prometheus')) {
  dashboard('every query finds something in a Prometheus that watches a host', async () => {
    assert.ok(panels.length > 10);
    await withServer({ METRICS: 'on', LOG: 'off' }, async ({ origin, port }) => {
      const client = await connect(origin);
      await withPrometheus(`localhost:${port}`, async (find) => {
        const candidate = { name: 'A', onetCode: '15-1252.00' };
        const { workspace } = (await client.post('/candidates', candidate)).body;
        await client.get('/candidates', { 'X-Workspace': workspace });
        await client.post('/candidates', { name: 1 });
        const asked = panels.flatMap(({ title, targets }) => targets.map((one) => ({ title, ...one })));
        const wanted = asked.filter(({ expr }) => !quiet.some((name) => expr.includes(name)));
        const hold = async ({ title, expr, legendFormat }: (typeof wanted)[number]) => {
          const [first] = (await find(toQuery(expr))) as { metric: Record<string, string> }[];
          assert.ok(first, `${title}: ${expr} finds nothing`);
          for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
            assert.ok(first.metric[label!], `${title}: its legend has ${label}`);
        };
        await Promise.all(wanted.map(hold));
      });
      const text = await (await fetch(`${origin}/metrics`)).text();
      for (const name of quiet) assert.match(text, `# TYPE ${name} counter`);
    });
  });
}

dashboard.run();
