/** Upper bounds of the buckets, in seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 5, 10];

export type Labels = Readonly<Record<string, string | undefined>>;

/** The times of what has the same labels. */
interface Times {
  labels: Labels;
  byBound: number[];
  count: number;
  seconds: number;
}

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

/** One line of the text format; a label without a text is left out. */
export function toLine(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).flatMap(([label, text]) =>
    text === undefined ? [] : [`${label}="${text.replace(/[\\"\n]/g, (one) => escapes[one]!)}"`],
  );
  return `${name}${pairs.length > 0 ? `{${pairs.join()}}` : ''} ${value}\n`;
}

export const toHead = (name: string, type: string, help: string) =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;

export type Histogram = ReturnType<typeof createHistogram>;

/** A Prometheus histogram of seconds. */
export function createHistogram(name: string, help: string) {
  const all = new Map<string, Times>();

  const toLines = ({ labels, byBound, count, seconds }: Times): string[] => {
    let below = 0;
    const buckets = bounds.map((bound, index) => {
      below += byBound[index]!;
      return toLine(`${name}_bucket`, { ...labels, le: String(bound) }, below);
    });
    return [
      ...buckets,
      toLine(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
      toLine(`${name}_sum`, labels, seconds),
      toLine(`${name}_count`, labels, count),
    ];
  };

  return {
    /** Counts what took so many milliseconds. */
    observe(labels: Labels, ms: number): void {
      const key = Object.values(labels).join(' ');
      let found = all.get(key);
      if (!found) {
        found = { labels, byBound: bounds.map(() => 0), count: 0, seconds: 0 };
        all.set(key, found);
      }
      found.count += 1;
      found.seconds += ms / 1000;
      const index = bounds.findIndex((bound) => ms <= bound * 1000);
      if (index >= 0) found.byBound[index]! += 1;
    },
    text: () => toHead(name, 'histogram', help) + [...all.values()].flatMap(toLines).join(''),
  };
}
