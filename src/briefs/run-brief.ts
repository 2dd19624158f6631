import { type OperationReply, runSteps } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { type Steps, wait } from '../kernel/steps.ts';
import { dayMs, toIsoDate, toIsoTime } from '../kernel/text.ts';
import { presentRetention, readWorkspaceState } from '../records/account/workspace-state.ts';
import { openView, viewEntry } from '../records/read/in-view.ts';
import { draftRecords, listSentRecords } from '../records/write/create.ts';
import { followToken, makeOneTimeToken } from '../records/write/one-time-token.ts';
import { type ChangeRule, changeWorkspace } from '../records/write/write.ts';
import { mostActivity } from '../workspace/activity.ts';
import type { BriefContext } from './brief.ts';
import { createVariant, explainUnknownBrief, graderToken, presentBrief } from './brief.ts';
import { readCallCounts } from './count-call.ts';
import { evaluate, type GradedRecord } from './evaluate.ts';
import { resolveRules } from './party.ts';
import { briefRefusals } from './refusals.ts';

/** How long a grader's token is valid, in milliseconds. */
const tokenMs = 30 * dayMs;

/** Creates a workspace with the fixture of a brief, and a token that grades it. */
export async function startBrief(
  id: string,
  variant: number,
  context: BriefContext,
): Promise<OperationReply> {
  const { briefs, names } = await context.service.catalogue.briefBook();
  const brief = briefs.find((one) => one.id === id);
  if (!brief) return explainUnknownBrief(context.service);
  const { hash, secrets } = await makeOneTimeToken(context, graderToken, (grader) => ({ grader }), id);
  const start: ChangeRule = (changing) => {
    const { change, service } = changing;
    const { now, today } = change;
    const started = createVariant(brief, names, variant, today);
    const sent = listSentRecords(service.kinds, started.fixture);
    const { records } = draftRecords(sent, changing, { from: 'batch' });
    change.dropRefs();
    const ids = new Map(sent.map(({ body }, place) => [String(body.ref), records[place]!.id]));
    const rules = resolveRules(started.parties, ids);
    const run = { id, variant, startedAt: now, token: hash, ...(rules.length > 0 && { rules }) };
    change.state = { brief: run };
    change.addToken(hash, id, now + tokenMs);
    const body = { type: 'OK', brief: presentBrief(started), ...presentRetention(change, service) };
    return { status: 201, body };
  };
  return changeWorkspace(context, start, { id, via: 'brief', calls: {}, secrets, showsWorkspace: true });
}

/** Lists all records of a workspace, as stored and as presented. */
function* listAll(context: BriefContext): Steps<GradedRecord[]> {
  const { contents } = context.workspace!;
  const view = openView(context);
  const today = toIsoDate(context.service.platform.now());
  const all: GradedRecord[] = [];
  for (const kind of context.service.kinds) {
    for (const entry of contents.list(kind.name)) {
      const { record, seq } = entry;
      all.push({ kind: kind.name, seq, fact: record, row: viewEntry(kind, entry, view, today).row.value });
      yield;
    }
  }
  return all;
}

/** Runs the checks of a brief. Each step runs one. */
function* check(brief: Parameters<typeof evaluate>[0], context: BriefContext) {
  const { head } = context.workspace!.contents;
  const records = yield* listAll(context);
  const range = { after: 0, limit: mostActivity };
  const entries = yield* wait(context.service.store.readActivity(head, range));
  const checks = [];
  for (const result of evaluate(brief, { records, entries })) {
    checks.push(result);
    yield;
  }
  return checks;
}

/**
 * Grades the workspace of the caller's token. The first grade is stored, and every later call returns it.
 * Throws the Refusal `unknown_grader` if the token is not valid for a started brief.
 */
export async function gradeBrief(context: BriefContext): Promise<OperationReply> {
  const { platform, catalogue } = context.service;
  const { hash, workspace } = await followToken(context, graderToken);
  const run = readWorkspaceState(workspace.contents.head.state).brief;
  if (run?.token !== hash) throw new Refusal(briefRefusals.unknown_grader);
  const presentGrade = (grade: object) => ({ status: 200, body: { type: 'OK', grade } });
  if (run.grade) return presentGrade(run.grade);
  const { id, variant, startedAt } = run;
  const { briefs, names } = await catalogue.briefBook();
  const brief = briefs.find((one) => one.id === id);
  if (!brief) throw new Refusal(briefRefusals.unknown_grader);
  const gradedContext = { ...context, workspace, options: { isStrict: false } };
  const started = createVariant(brief, names, variant, toIsoDate(startedAt));
  const checks = await runSteps(gradedContext, check(started, gradedContext));
  const gradedAt = platform.now();
  const grade = {
    brief: id,
    variant,
    passed: checks.every(({ passed }) => passed),
    ...readCallCounts(workspace.contents.head),
    seconds: Math.round((gradedAt - startedAt) / 1000),
    checks,
    startedAt: toIsoTime(startedAt),
    gradedAt: toIsoTime(gradedAt),
  };
  const store: ChangeRule = ({ change }) => {
    const stored = readWorkspaceState(change.state).brief;
    if (stored?.grade) {
      change.discard();
      return presentGrade(stored.grade);
    }
    change.state = { ...change.state, brief: { ...run, grade } };
    return presentGrade(grade);
  };
  return changeWorkspace(gradedContext, store, { via: 'brief', calls: {} });
}
