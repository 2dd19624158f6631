import { existsSync, readFileSync } from 'node:fs';
import { createAnswer } from '../../kernel/answer.ts';
import { keepByText } from '../../kernel/cache.ts';
import { replay } from '../../kernel/freeze.ts';
import type { Catalogue } from '../../kernel/service.ts';
import { createWaits } from '../../kernel/waits.ts';
import { toTools } from '../../mcp/tools.ts';
import { refuseRead } from '../../records/usage.ts';
import { createService } from '../../service.ts';
import { openStore } from '../../stores/open-store.ts';
import { operations } from '../../table.ts';
import { nodePlatform } from '../node-platform.ts';
import { BuildReplaced, loadCatalogue, loadFrozen } from './frozen.ts';
import { openSigner } from './keys.ts';
import { createLimits, watchStorage } from './limits.ts';
import { listen } from './listen.ts';
import { createLive } from './live.ts';
import {
  createFaultReport,
  createLog,
  createRequestLog,
  type FaultReport,
  toFaultLine,
  warn,
} from './log.ts';
import { createMetrics, measureStore, toSamples } from './metrics.ts';
import { passkeys } from './passkeys.ts';
import { createAnswerCache, createKeepReplies } from './reply-cache.ts';
import { toServer } from './server.ts';
import { type NodeSettings, readSettings, toBaseUrl, toSettings } from './settings.ts';

function announce(origin: string, { LISTEN, HOST, BASE_URL }: NodeSettings, keyPlace: string): void {
  const pages = ['/', '/llms.txt', '/openapi.json', '/.well-known/agents.json', '/pricing', '/candidates'];
  console.log(`Careers Placement Service on ${origin}`);
  for (const page of pages) console.log(`  ${origin}${page}`);
  console.log(`MCP clients: ${origin}/mcp`);
  if (LISTEN) console.log(`Listening on ${LISTEN}`);
  if (!BASE_URL && (LISTEN || !/^(localhost|127\.|::1$)/.test(HOST)))
    console.log(
      'BASE_URL is not set, so /mcp answers 403 on every name but localhost. Set it to the address that clients use, such as https://careers.example.',
    );
  console.log(`Signing key: ${keyPlace}`);
}

/** After this many searches the engine has compiled the code that they run. */
const searches = 50;

/** Searches before a balancer sends callers. Each is for another title, since nothing is computed twice. */
async function warmUp(answer: ReturnType<typeof createAnswer>, { occupations }: Catalogue): Promise<void> {
  const search = { method: 'GET', path: '/occupations', headers: {}, body: new Uint8Array() };
  for (const { title } of occupations.slice(0, searches)) {
    await answer({ ...search, query: `limit=1&q=${encodeURIComponent(title)}` });
  }
}

/** Descriptors that this process needs beside those of its connections: files, the store, what listens. */
const ownDescriptors = 64;
const limitsFile = '/proc/self/limits';

/** The same settings, with no more connections than this process has descriptors for. Says so where those are fewer. */
function withinDescriptors(settings: NodeSettings): NodeSettings {
  // There is no such file but on Linux.
  const text = existsSync(limitsFile) ? readFileSync(limitsFile, 'utf8') : '';
  const [, limit] = /^Max open files +(\d+)/m.exec(text) ?? [];
  const most = limit === undefined ? settings.MAX_CONNECTIONS : Math.max(1, Number(limit) - ownDescriptors);
  if (settings.MAX_CONNECTIONS <= most) return settings;
  console.log(
    `MAX_CONNECTIONS is ${settings.MAX_CONNECTIONS}, but ulimit -n is ${limit}: at most ${most} connections are taken. Raise ulimit -n, or lower MAX_CONNECTIONS.`,
  );
  return { ...settings, MAX_CONNECTIONS: most };
}

async function main(): Promise<void> {
  // What is kept is for this user alone: files are 0600, folders 0700.
  process.umask(0o077);
  const host = import.meta.dirname;
  const env = withinDescriptors(readSettings(process.env));
  const isBypassed = env.CDN_BYPASS === 'on';
  const frozen = loadFrozen(host, isBypassed, env.BASE_URL);
  const log = createLog();
  const end = (code: number): never => {
    log.flush();
    process.exit(code);
  };
  const writeFault = createFaultReport();
  const report: FaultReport = (error, call) => {
    writeFault(error, call);
    if (error instanceof BuildReplaced) end(1);
  };
  const { STORE_URL: url, DATA_DIR: dataDir, STORE_REPLICAS: replicas, STORE_DURABILITY: durability } = env;
  const store = await openStore({ url, dataDir, replicas, durability, report });
  const { signer, place } = await openSigner(env);
  const settings = toSettings(env);
  const { onLive, onFrozen } = createRequestLog(env, log);
  const isMeasured = env.METRICS === 'on';
  const metrics = createMetrics(isMeasured);
  if (isMeasured) measureStore(store, metrics);
  const limits = createLimits(env, metrics, store.count);
  const warm = Promise.withResolvers<void>();
  let isStopping = false;
  const storage = await watchStorage(env, store, limits.admitBytes, report);
  const cache = createAnswerCache();
  const waits = createWaits(refuseRead);
  const service = createService({
    operations,
    toTools,
    catalogue: loadCatalogue(host, frozen),
    settings,
    store,
    signer,
    frozenText: (path) => frozen.bytesAt(path)?.toString(),
    passkeys,
    cache,
    waits,
    platform: nodePlatform,
    watch: {
      admitMint: limits.admitMint,
      admitClaim: limits.admitClaim,
      admitGrowth: storage.admitGrowth,
      onCharge: metrics.addCharged,
      report,
      isReady: () => warm.promise.then(() => !isStopping),
    },
  });
  const answer = createAnswer(service);
  const build = { version: service.catalogue.service.version, commit: service.catalogue.commit };
  const metricsText = () =>
    metrics.text({
      careers_build_info: [{ labels: build, value: 1 }],
      careers_connections: connections.count(),
      careers_requests_in_flight: connections.countBusy() - waits.count(),
      careers_waiting_calls: waits.count(),
      careers_rate_limit_networks: limits.size(),
      careers_log_lines_dropped_total: log.dropped(),
      careers_store_commits_total: store.stats().commits,
      careers_store_creates_total: store.stats().creates,
      careers_store_failures_total: toSamples('cause', store.faults()),
      careers_store_expiry_overdue_seconds: store.overdue && store.overdue(Date.now()) / 1000,
      ...storage.read(),
    });
  const serveLive = createLive({
    answer,
    admitLive: limits.admitLive,
    keepReplies: createKeepReplies(operations, cache),
    isBypassed,
    tag: frozen.tag,
    report,
    onAnswered(answered) {
      if (isMeasured) metrics.addAnswer(answered);
      onLive(answered);
    },
  });
  /** Made once, however many ask for it at the start. */
  const refresh = keepByText(async (file) => frozen.replace(file, (await replay(answer, file)).body));
  const { server, connections } = toServer({
    frozen,
    refresh,
    serveLive,
    metrics,
    metricsText: isMeasured ? metricsText : undefined,
    onFrozen,
    report,
    warn,
    settings: env,
  });
  const port = await listen(server, env);
  if (port !== env.PORT) settings.baseUrl = toBaseUrl(env, port);

  const stop = async (graceSeconds: number) => {
    if (isStopping) return end(1);
    isStopping = true;
    waits.end();
    await connections.stop(graceSeconds);
    await store.close();
    await log.close();
    return end(0);
  };
  const stopOrFail = (graceSeconds: number) =>
    stop(graceSeconds).catch((error) => {
      report(error);
      end(1);
    });
  process.on('SIGTERM', () => stopOrFail(env.GRACE_SECONDS));
  process.on('SIGINT', () => stopOrFail(0));
  process.on('uncaughtException', (error) => {
    process.stderr.write(toFaultLine(error));
    end(1);
  });
  announce(settings.baseUrl, env, place);
  for (const file of frozen.stale) {
    await refresh(file);
    await nodePlatform.pause();
  }
  await warmUp(answer, service.catalogue);
  warm.resolve();
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
