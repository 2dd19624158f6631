import * as assert from 'uvu/assert';
import type { RunningServer } from './server.ts';

/**
 * Parses the samples of a Prometheus text, by name and labels. Fails on a line that is neither sample nor
 * comment.
 */
function toSamples(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split('\n').filter((one) => one && !/^# (HELP|TYPE) \w+ \S/.test(one))) {
    const [, name, value] =
      /^([a-zA-Z_:]\w*(?:\{\w+="[^"\n\\]*"(?:,\w+="[^"\n\\]*")*\})?) ([0-9.e+-]+)$/.exec(line) ?? [];
    assert.ok(name !== undefined, `not a sample: ${line}`);
    assert.not.ok(samples.has(name), `twice: ${name}`);
    samples.set(name, Number(value));
  }
  return samples;
}

/** Reads /metrics and checks its headers. */
export async function readMetrics({ origin }: Pick<RunningServer, 'origin'>): Promise<Map<string, number>> {
  const response = await fetch(`${origin}/metrics`);
  const { status, headers } = response;
  assert.is(status, 200);
  assert.is(headers.get('access-control-allow-origin'), null, 'pages of other origins cannot read it');
  assert.is(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  assert.is(headers.get('cache-control'), 'no-store');
  return toSamples(await response.text());
}

/** Returns the live answers since the server started, by labels without their quotes. */
export const toCounted = (samples: Map<string, number>) =>
  Object.fromEntries(
    [...samples].flatMap(([name, value]) => {
      const [, labels] = /^careers_requests_total\{(.*)\}$/.exec(name) ?? [];
      return labels === undefined ? [] : [[labels.replaceAll('"', ''), value]];
    }),
  );
