import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { makeSandbox, toBody } from '../../support/sandbox.ts';

const points = suite('points for skills if an order names none');

async function pointsOf(onetCode: string, skills: string[]): Promise<number> {
  const { mine } = await makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'c', onetCode, skills })],
    jobOrders: [toBody.jobOrder({ ref: 'o', onetCode })],
  });
  const { body } = await client.get('/job-orders/%23o/matches?scope=workspace', mine);
  const reason = body.matches[0].reasons.find(({ factor }: Body) => factor === 'skills');
  return reason?.points ?? 0;
}

/** An occupation, and a skill that belongs to it. */
const related: [string, string, string][] = [
  ['a critical care nurse', '29-1141.03', 'CRRT'],
  ['a critical care nurse', '29-1141.03', 'Epic'],
  ['a truck driver', '53-3032.00', 'Flatbed loads'],
  ['an accountant', '13-2011.00', 'QuickBooks'],
  ['an accountant', '13-2011.00', 'SAP'],
  ['an accountant', '13-2011.00', 'Excel'],
  ['a software developer', '15-1252.00', 'TypeScript'],
  ['an electrician', '47-2111.00', 'Conduit bending'],
  ['a welder', '51-4121.00', 'TIG'],
  ['a machinist', '51-4041.00', 'Fanuc'],
  ['a cook', '35-2014.00', 'ServSafe'],
];
for (const [who, code, skill] of related)
  points(`"${skill}" earns ${who} points`, async () => {
    assert.ok((await pointsOf(code, [skill])) > 0);
  });

/** An occupation, and a skill that does not belong to it. */
const unrelated: [string, string, string][] = [
  ['a truck driver', '53-3032.00', 'SAP'],
  ['a truck driver', '53-3032.00', 'Excel'],
  ['a critical care nurse', '29-1141.03', 'Forklift'],
  ['a critical care nurse', '29-1141.03', 'Microsoft Word'],
  ['a carpenter', '47-2031.00', 'CRRT'],
  ['a welder', '51-4121.00', 'Outlook'],
  ['a cook', '35-2014.00', 'SAP'],
];
for (const [who, code, skill] of unrelated)
  points(`"${skill}" earns ${who} no points`, async () => {
    assert.is(await pointsOf(code, [skill]), 0);
  });

points.run();
