import recorded from '../../../content/brief-runs.json' with { type: 'json' };
import { createVariant, presentBrief } from '../../briefs/brief.ts';
import type { BriefRuns } from '../../briefs/recorded-run.ts';
import { service } from './ask.ts';

const { runs, passedByExampleAgent } = recorded as BriefRuns;
const { briefs, names } = await service.catalogue.briefBook();

/** Every brief by level, as the recorded run got it: its text and rules, what it tests and checks, and the run. */
export const shownBriefs = service.catalogue.briefs.map(({ id, links }) => {
  const run = runs[id]!;
  const brief = createVariant(briefs.find((one) => one.id === id)!, names, 0, run.day);
  return {
    ...presentBrief(brief),
    tests: brief.tests,
    checks: brief.checks.map(({ text }) => text),
    run,
    isPassedByExample: passedByExampleAgent.includes(id),
    page: `${links.self}.html`,
  };
});

export type PageBrief = (typeof shownBriefs)[number];

/** What each level asks for, by its number. */
export const levels: Record<number, string> = {
  1: 'A few records and one kind of step',
  2: 'Several rules at once, and a tempting wrong answer',
  3: 'Twenty records or more, orders that compete, and a trap',
  4: 'Twenty changes or more, and people who answer each of them',
};
