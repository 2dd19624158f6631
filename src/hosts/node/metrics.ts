/** Upper bounds of the latency histogram, in seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

interface Series {
  byClass: number[];
  byBound: number[];
  seconds: number;
}

/** Counters of one process since it started. */
export interface Metrics {
  /** Answers from memory: counted by plain increment, the same whether anybody looks or not. */
  frozen: number;
  minted: number;
  limitedLive: number;
  limitedMint: number;
  malformed: number;
  connectionsRefused: number;
  /** One live answer; `operation` is an operationId or a fixed word, never what a caller wrote. */
  observe(operation: string, status: number, ms: number): void;
  /** The Prometheus text exposition format 0.0.4; `gauges` are added as they stand, by full name. */
  text(gauges: Readonly<Record<string, number>>): string;
}

function toFamily(name: string, type: string, help: string, samples: (readonly [string, number])[]): string {
  const lines = samples.map(([labels, value]) => `${labels.startsWith('_') ? '' : name}${labels} ${value}`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`;
}

function toHistogram(series: ReadonlyMap<string, Series>): string {
  const name = 'careers_request_seconds';
  const lines = [...series].flatMap(([operation, { byBound, byClass, seconds }]) => {
    const label = `operation="${operation}"`;
    const count = byClass.reduce((sum, n) => sum + n, 0);
    let below = 0;
    const buckets = bounds.map((bound, index) => {
      below += byBound[index]!;
      return `${name}_bucket{${label},le="${bound}"} ${below}`;
    });
    return [
      ...buckets,
      `${name}_bucket{${label},le="+Inf"} ${count}`,
      `${name}_sum{${label}} ${seconds}`,
      `${name}_count{${label}} ${count}`,
    ];
  });
  return `# HELP ${name} Time to a live answer.\n# TYPE ${name} histogram\n${lines.join('\n')}\n`;
}

export function createMetrics(): Metrics {
  const series = new Map<string, Series>();
  const metrics: Metrics = {
    frozen: 0,
    minted: 0,
    limitedLive: 0,
    limitedMint: 0,
    malformed: 0,
    connectionsRefused: 0,
    observe(operation, status, ms) {
      let found = series.get(operation);
      if (!found) {
        found = { byClass: [0, 0, 0, 0, 0, 0], byBound: bounds.map(() => 0), seconds: 0 };
        series.set(operation, found);
      }
      found.byClass[Math.floor(status / 100)]! += 1;
      found.seconds += ms / 1000;
      const index = bounds.findIndex((bound) => ms <= bound * 1000);
      if (index >= 0) found.byBound[index]! += 1;
    },
    text(gauges) {
      const answers = [...series].flatMap(([operation, { byClass }]) =>
        byClass.flatMap((count, digit) =>
          count > 0 ? [[`{operation="${operation}",status="${digit}xx"}`, count] as const] : [],
        ),
      );
      const counter = (name: string, help: string, value: number) =>
        toFamily(name, 'counter', help, [['', value]]);
      return [
        toFamily('careers_requests_total', 'counter', 'Live answers.', answers),
        toHistogram(series),
        counter('careers_frozen_answers_total', 'Answers from memory.', metrics.frozen),
        counter('careers_workspaces_minted_total', 'Workspaces made.', metrics.minted),
        toFamily('careers_rate_limited_total', 'counter', 'Calls turned down by a rate limit.', [
          ['{limit="live"}', metrics.limitedLive],
          ['{limit="mint"}', metrics.limitedMint],
        ]),
        counter('careers_malformed_total', 'Requests that the HTTP parser refused.', metrics.malformed),
        counter(
          'careers_connections_refused_total',
          'Connections beyond the ceiling.',
          metrics.connectionsRefused,
        ),
        ...Object.entries(gauges).map(([name, value]) => `${name} ${value}\n`),
      ].join('');
    },
  };
  return metrics;
}
