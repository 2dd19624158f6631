import type { Writable } from 'node:stream';
import { getHeapStatistics } from 'node:v8';
import { createAnswer } from '../../kernel/answer.ts';
import { memoize } from '../../kernel/cache.ts';
import { replay } from '../../kernel/freeze.ts';
import type { Watch } from '../../kernel/service.ts';
import { Waits } from '../../kernel/waits.ts';
import { describeTools } from '../../mcp/tools.ts';
import type { Catalogue, Service } from '../../service.ts';
import { createService } from '../../service.ts';
import { openStore } from '../../stores/open-store.ts';
import { defaultCacheBytes } from '../../workspace/workspaces.ts';
import { nodePlatform, stepRunner, turns } from '../node-platform.ts';
import type { Connections } from './connections.ts';
import type { HostTable } from './describe-table.ts';
import { loadCatalogue, loadFrozen } from './frozen.ts';
import { openSigner } from './keys.ts';
import { Limits } from './limits.ts';
import { listen } from './listen.ts';
import { createLive } from './live.ts';
import { AnswerReport, type FaultReport, Log, warn } from './log.ts';
import { listSamples, measureStore, openMetrics, type Readings } from './metrics.ts';
import { openBlocks } from './operator/blocks.ts';
import { Operator } from './operator/operator.ts';
import { Tally } from './operator/tally.ts';
import { passkeys } from './passkeys.ts';
import { createAnswerCache, createKeepReplies } from './reply-cache.ts';
import { createEdge } from './server.ts';
import { findBaseUrl, type NodeSettings, pickSettings } from './settings.ts';
import { Stdio, type StdioStreams } from './stdio.ts';
import { watchStorage } from './storage.ts';

/** What is there before a host: the table, and the report of faults. */
export interface HostStart {
  table: HostTable;
  report: FaultReport;
}

/** Opens the parts of a host that store, count and limit. */
async function openParts(folder: string, env: NodeSettings, { table, report }: HostStart) {
  const { STORE_URL: url, DATA_DIR: dataDir, STORE_REPLICAS: replicas, STORE_DURABILITY: durability } = env;
  const isMeasured = env.METRICS === 'on';
  const frozen = loadFrozen(folder, env.CDN_BYPASS === 'on', env.BASE_URL);
  const store = await openStore({ url, dataDir, replicas, durability, report, log: warn });
  const { signer, place } = await openSigner(env);
  const tally = env.OPERATOR_TOKEN ? new Tally(await openMetrics(isMeasured)) : undefined;
  const metrics = tally ?? (await openMetrics(isMeasured));
  if (isMeasured) measureStore(store, metrics);
  const limits = new Limits(env, metrics, store.count);
  const storage = await watchStorage(env, store, limits, report);
  const waits = new Waits();
  const cache = createAnswerCache();
  return { table, folder, frozen, store, signer, place, metrics, tally, limits, storage, waits, cache };
}
type Parts = Awaited<ReturnType<typeof openParts>>;

/** At most a fifth of the heap, so that a small process keeps room for answers. */
const boundCache = () => Math.min(defaultCacheBytes, getHeapStatistics().heap_size_limit / 5);

/** Creates the core from these parts. */
function assembleService(env: NodeSettings, parts: Parts, watch: Pick<Watch, 'report' | 'isReady'>): Service {
  const { table, folder, frozen, store, signer, waits, cache, limits, storage, metrics } = parts;
  return createService({
    operations: table.operations,
    describeTools,
    catalogue: loadCatalogue(folder, frozen),
    settings: pickSettings(env),
    store,
    cacheBytes: boundCache(),
    signer,
    frozenText: (path) => frozen.bytesAt(path)?.toString(),
    passkeys,
    cache,
    waits,
    platform: nodePlatform,
    watch: {
      ...watch,
      admitMint: limits.admitMint.bind(limits),
      admitClaim: limits.admitClaim.bind(limits),
      admitGrowth: storage.admitGrowth,
      onCharge: metrics.addCharged.bind(metrics),
    },
  });
}

/** What calls reach the core through, and the log of their answers. */
interface Doors {
  connections: Connections;
  stdio: Stdio | undefined;
  log: Log;
}

/** Lists the longest step of each operation. */
const readLongestSteps = () =>
  [...stepRunner.longest].map(([operation, ms]) => ({
    labels: { operation: operation || 'none' },
    value: ms / 1000,
  }));

/** Reads the values that are measured when /metrics is read. */
function readParts(parts: Parts, { catalogue }: Service, { connections, stdio, log }: Doors): Readings {
  const { store, limits, storage, waits } = parts;
  return {
    careers_connections: connections.count(),
    careers_requests_in_flight: connections.countBusy() + (stdio?.countBusy() ?? 0),
    careers_log_lines_dropped_total: log.dropped(),
    careers_build_info: [
      { labels: { version: catalogue.service.version, commit: catalogue.commit }, value: 1 },
    ],
    careers_longest_step_seconds: readLongestSteps(),
    careers_waiting_calls: waits.count(),
    careers_rate_limit_networks: limits.size(),
    careers_store_commits_total: store.stats().commits,
    careers_store_creates_total: store.stats().creates,
    careers_store_failures_total: listSamples('cause', store.faults()),
    careers_store_expiry_overdue_seconds: store.overdue && store.overdue(Date.now()) / 1000,
    ...storage.read(),
  };
}

/** After this many searches the engine has compiled the code for them. */
const searches = 50;

/** Runs searches before a balancer sends callers. Each is for another title, because results are cached. */
async function warmUp(answer: ReturnType<typeof createAnswer>, { occupations }: Catalogue): Promise<void> {
  const search = { method: 'GET', path: '/occupations', headers: {}, body: new Uint8Array() };
  for (const { title } of occupations.slice(0, searches)) {
    await answer({ ...search, query: `limit=1&q=${encodeURIComponent(title)}` });
  }
}

const toSeconds = (ms: number) => Math.round(ms) / 1000;

/** Logs that a host stops. `reason` is the name of a signal, or a phrase. `tookMs` is how long the stop took. */
export function logStop(log: Log, reason: string, tookMs: number): void {
  log.event('stop', { reason, tookSeconds: toSeconds(tookMs), ranSeconds: toSeconds(performance.now()) });
}

/** How clients reach a host, and where it logs. */
export interface Transports {
  /** Whether it listens for HTTP. */
  http: boolean;
  /** The streams of the client that speaks MCP over stdio, if there is one. */
  stdio?: StdioStreams;
  /** Where the log is written. */
  log: Writable;
}

/** How a host answers a call, and what it does with answers and faults. */
interface Core {
  answer: ReturnType<typeof createAnswer>;
  answers: AnswerReport;
  report: FaultReport;
}

/** Describes a host that listens. */
const describeHost = ({ settings, catalogue }: Service, port: number) => ({
  origin: settings.baseUrl,
  /** Its port, also if PORT is 0. */
  port,
  version: catalogue.service.version,
  /** The commit that was built, or undefined if the build does not know it. */
  commit: catalogue.commit === 'unknown' ? undefined : catalogue.commit,
});

/** Creates what answers live requests over HTTP. */
const createHttpLive = (core: Core, env: NodeSettings, { table, limits, cache, frozen }: Parts) =>
  createLive({
    ...core,
    table,
    limits,
    keepReplies: createKeepReplies(table, cache),
    isBypassed: env.CDN_BYPASS === 'on',
    tag: frozen.tag,
  });

/** Makes the documents that have a date or a setting in them, one by one. */
async function refreshStale(frozen: Parts['frozen'], refresh: (file: string) => Promise<unknown>) {
  for (const file of frozen.stale) {
    await refresh(file);
    await turns.waitForTurn();
  }
}

/** Creates the operator's addresses, if OPERATOR_TOKEN is set. */
function createOperator(
  settings: NodeSettings,
  { tally, limits, folder }: Parts,
  service: Service,
  sources: { read: () => Readings; report: FaultReport },
) {
  if (!tally) return undefined;
  const blocks = openBlocks(settings);
  const { version, commit } = describeHost(service, settings.PORT);
  return new Operator({ settings, tally, limits, blocks, folder, version, commit, ...sources });
}

/** A running host. */
export type Host = Awaited<ReturnType<typeof openHost>>;

/** Opens a host of the build in `folder`, and listens. Rejects with a plain message if it cannot. */
export async function openHost(folder: string, env: NodeSettings, transports: Transports, start: HostStart) {
  const { table, report } = start;
  const log = new Log(table.redactor, transports.log);
  const parts = await openParts(folder, env, start);
  const { frozen, metrics, waits, store, place } = parts;
  const warm = Promise.withResolvers<void>();
  let isStopping = false;
  const isReady = () => warm.promise.then(() => !isStopping);
  const service = assembleService(env, parts, { report, isReady });
  service.settings.hasNoAddress = !transports.http && env.BASE_URL === '';
  const answer = createAnswer(service);
  const answers = new AnswerReport(env, log, metrics, table);
  const core: Core = { answer, answers, report };
  const serveLive = createHttpLive(core, env, parts);
  const stdio = transports.stdio && new Stdio(core, transports.stdio);
  /** Runs once for each file, however many requests want it at the start. */
  const refresh = memoize(async (file: string) => frozen.replace(file, (await replay(answer, file)).body), {
    most: frozen.stale.size,
  });
  const read = () => readParts(parts, service, { connections, stdio, log });
  const readMetrics = () => metrics.text(read());
  const metricsText = env.METRICS === 'on' ? readMetrics : undefined;
  const operator = createOperator(env, parts, service, { read, report });
  const edge = {
    operator,
    frozen,
    refresh,
    serveLive,
    metrics,
    metricsText,
    answers,
    report,
    warn,
    settings: env,
  };
  const { server, connections } = createEdge(edge);
  const port = transports.http ? await listen(server, env) : env.PORT;
  if (port !== env.PORT) service.settings.baseUrl = findBaseUrl(env, port);

  return {
    ...describeHost(service, port),
    /** Where its signing key is, or why it has none. */
    keyPlace: place,
    storage: parts.storage,
    log,
    /** Resolves with the reason when the client over stdio has gone. Undefined without one. */
    ended: stdio?.ended,
    /** Gets ready for callers, and then reads from the client over stdio. */
    async prepare(): Promise<void> {
      await refreshStale(frozen, refresh);
      stdio?.start();
      await warmUp(answer, service.catalogue);
      warm.resolve();
    },
    /** Stops after the grace period, when every request is answered, stored and logged. Logs the reason last. */
    async stop(graceSeconds: number, reason: string): Promise<void> {
      const stoppingSince = performance.now();
      isStopping = true;
      waits.end();
      await Promise.all([connections.stop(graceSeconds), stdio?.stop(env.DRAIN_SECONDS)]);
      await store.close();
      logStop(log, reason, performance.now() - stoppingSince);
      await log.close();
    },
  };
}
