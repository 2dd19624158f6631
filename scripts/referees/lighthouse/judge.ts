import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installReferees } from '../install.ts';
import type { Finding, Json, Verdict } from '../verdict.ts';

const load = (path: string): Promise<Json> =>
  import(pathToFileURL(join(import.meta.dirname, 'node_modules', path)).href);

/** The least score of a page in each category, in percent. */
const leastScores = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };
type Category = keyof typeof leastScores;
const categories = Object.keys(leastScores) as Category[];
/** A page may move by less than this while it loads (Cumulative Layout Shift, without a unit). */
const mostShift = 0.02;
/** A busy machine lowers the score for performance, so a page that is too slow is judged again, up to this many times. */
const mostRuns = 3;

/** What Lighthouse measured of a page. */
interface PageReport {
  /** In percent. */
  scores: Partial<Record<Category, number>>;
  /** Cumulative Layout Shift, without a unit. */
  shift: number;
  /** The ids of the audits that lower the score of a category. */
  failed: Partial<Record<Category, string[]>>;
}

/**
 * Runs Lighthouse on one page at a time, as on a phone. The slow network is simulated: with the network as it is,
 * Lighthouse waits for five quiet seconds of a page instead of one.
 */
interface Lighthouse {
  judge(url: string, only?: readonly Category[]): Promise<PageReport>;
  stop(): void;
}

function toReport({ categories: judged, audits }: Json, only: readonly Category[]): PageReport {
  const isFailed = ({ id, weight }: Json) => weight > 0 && audits[id].score !== null && audits[id].score < 1;
  const scores = only.map((name) => [name, Math.round(judged[name].score * 100)]);
  const failed = only.map((name) => [
    name,
    judged[name].auditRefs.filter(isFailed).map(({ id }: Json) => id),
  ]);
  return {
    scores: Object.fromEntries(scores),
    shift: audits['cumulative-layout-shift'].numericValue,
    failed: Object.fromEntries(failed),
  };
}

/** Installs Lighthouse and starts it with a browser of this machine. */
export async function startLighthouse(chromePath: string): Promise<Lighthouse> {
  installReferees('lighthouse');
  const { default: run } = await load('lighthouse/core/index.js');
  const { launch } = await load('chrome-launcher/dist/index.js');
  const chromeFlags = ['--headless', '--no-sandbox', '--disable-gpu'];
  const chrome = await launch({ chromePath, chromeFlags, logLevel: 'silent' });
  return {
    async judge(url, only = categories) {
      // Without performance, the audit of the shift would not run.
      const settings = { onlyCategories: [...only], onlyAudits: ['cumulative-layout-shift'] };
      const { lhr } = await run(url, {
        ...{ port: chrome.port, logLevel: 'silent', disableFullPageScreenshot: true },
        ...settings,
      });
      return toReport(lhr, only);
    },
    stop: () => chrome.kill(),
  };
}

/** Lists in what a page is below its least scores. A page that search engines may not list needs no score in `seo`. */
export function listShortfalls(
  where: string,
  { scores, shift, failed }: PageReport,
  isListed: boolean,
): Finding[] {
  const low = categories.filter((name) => scores[name] !== undefined && scores[name] < leastScores[name]);
  const findings = low
    .filter((name) => name !== 'seo' || isListed)
    .map((rule) => ({
      rule,
      where,
      message: `${scores[rule]} of ${leastScores[rule]}: ${failed[rule]!.join(', ')}`,
    }));
  if (shift < mostShift) return findings;
  return [...findings, { rule: 'layout-shift', where, message: `moves by ${shift}` }];
}

/** Judges a page, and again if it is too slow. Prints its last scores, and returns in what it falls short. */
async function judgePage(lighthouse: Lighthouse, origin: string, path: string): Promise<Finding[]> {
  const text = await (await fetch(origin + path)).text();
  const isListed = !text.includes('<meta name="robots" content="noindex"');
  let report = await lighthouse.judge(origin + path);
  for (let run = 1; run < mostRuns && report.scores.performance! < leastScores.performance; run += 1)
    report = await lighthouse.judge(origin + path);
  const row = categories.map((name) => `${name} ${report.scores[name]}`).join(', ');
  console.log(`${path}: ${row}, shift ${report.shift.toFixed(3)}${isListed ? '' : ', not listed'}`);
  return listShortfalls(path, report, isListed);
}

/** Judges pages, given by their paths, and prints the scores of each. */
export async function judgePages(origin: string, paths: readonly string[]): Promise<Verdict> {
  const chrome = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';
  if (!existsSync(chrome)) return { findings: [], leftOut: 'no browser on this machine' };
  const lighthouse = await startLighthouse(chrome);
  const findings: Finding[] = [];
  try {
    for (const path of paths) findings.push(...(await judgePage(lighthouse, origin, path)));
  } finally {
    lighthouse.stop();
  }
  return { findings };
}
