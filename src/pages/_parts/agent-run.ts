import * as v from 'valibot';
import run from '../../../content/agent-run.json' with { type: 'json' };
import { fillDates } from '../_scripts/desk-dates.ts';
import { AgentRunFile } from '../_watch/run-file.ts';
import { service } from './ask.ts';

/** The day of the run as text. A fixed day gives every build of a release the same page. */
export const runDay = service.catalogue.service.release;

/** The recorded run on that day. Throws with the path and the rule if content/agent-run.json breaks its schema. */
export const shownRun = v.parse(AgentRunFile, JSON.parse(fillDates(JSON.stringify(run), runDay)));

/** Counts the calls of the run, up to the end of its first branch. */
export const countCalls = (): number => shownRun.steps.length + shownRun.branches[0]!.steps.length;
