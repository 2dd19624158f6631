import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import mustHaves from '../../../content/must-haves.json' with { type: 'json' };
import { buildService } from '../../../src/hosts/build/build-service.ts';
import type { Matchable } from '../../../src/records/kind/factor.ts';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { makeSandbox, strict, toBody } from '../../support/sandbox.ts';

const licences = suite('licences in matches and placements');

/** Returns the match of a person and an order in a new workspace. */
async function matchOf(orderCode: string, personCode: string, credentials: string[] = []): Promise<Body> {
  const { mine } = await makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'c', onetCode: personCode, metro: 'Columbus, OH', credentials })],
    jobOrders: [toBody.jobOrder({ ref: 'o', onetCode: orderCode, metro: 'Columbus, OH' })],
  });
  const { body } = await client.get('/job-orders/%23o/matches?scope=workspace', mine);
  return body.matches[0];
}

const [registered, critical, practical, practitioner] = [
  '29-1141.00',
  '29-1141.03',
  '29-2061.00',
  '29-1171.00',
] as const;
const [therapist, therapistAssistant, heavyTruck, lightTruck] = [
  '29-1123.00',
  '31-2021.00',
  '53-3032.00',
  '53-3033.00',
] as const;

/** An order, a person, their credentials, and whether the person meets the order. */
const pairs: [string, string, string, string[], boolean | null][] = [
  ['a registered nurse for a critical care nurse', critical, registered, [], true],
  ['a practical nurse for a registered nurse', registered, practical, [], false],
  ['a registered nurse for a practical nurse', practical, registered, [], true],
  ['a nurse practitioner for a registered nurse', registered, practitioner, [], true],
  ['a nurse practitioner for a practical nurse', practical, practitioner, [], true],
  ['a registered nurse for a nurse practitioner', practitioner, registered, [], false],
  ['a practical nurse with an RN license', registered, practical, ['RN license OH'], true],
  ['a practical nurse who is an RN student', registered, practical, ['RN student'], null],
  ['a practical nurse without an RN license', registered, practical, ['no RN license'], false],
  ['a nursing assistant for a practical nurse', practical, '31-1131.00', ['CNA'], false],
  ['a nursing assistant who is an LPN', practical, '31-1131.00', ['LPN, Ohio'], true],
  ['a light truck driver with a CDL for school buses', heavyTruck, lightTruck, ['CDL, school bus'], true],
  ['a light truck driver with a CDL school', heavyTruck, lightTruck, ['CDL school'], false],
  ['a therapist for an assistant', therapistAssistant, therapist, [], true],
  ['an assistant for a therapist', therapist, therapistAssistant, ['Physical Therapist Assistant'], false],
  ['a light truck driver for a heavy truck', heavyTruck, lightTruck, [], false],
  [
    'a practical nurse with a physician’s licence',
    '29-1215.00',
    practical,
    ['Physician licence, Ohio'],
    true,
  ],
  ['a light truck driver with a CDL', heavyTruck, lightTruck, ['CDL A'], true],
  ['a heavy truck driver for a light truck', lightTruck, heavyTruck, [], null],
  ['an apprentice for an electrician', '47-2111.00', '47-3013.00', ['Electrician apprentice'], false],
  ['a helper who is a journeyman electrician', '47-2111.00', '47-3013.00', ['Journeyman electrician'], true],
  ['a paramedic for an EMT', '29-2042.00', '29-2043.00', [], true],
  ['an EMT for a paramedic', '29-2043.00', '29-2042.00', ['EMT-B'], false],
  ['a broker for a sales agent', '41-9022.00', '41-9021.00', [], true],
  [
    'a veterinary technician for a veterinarian',
    '29-1131.00',
    '29-2056.00',
    ['Veterinary technician license'],
    false,
  ],
];
for (const [what, order, person, credentials, meets] of pairs)
  licences(`${what}: meets is ${meets}`, async () => {
    assert.is((await matchOf(order, person, credentials)).meets, meets);
  });

const matcher = await buildService().matcher();
const meetsWith = (credential: string) =>
  matcher.match({ id: 'job_a', onetCode: registered }, {
    id: 'cand_a',
    onetCode: practical,
    credentials: [credential],
  } as Matchable).meets;

const { ended, awaited, lacking } = mustHaves.notHeld;
for (const [status, verdict] of [
  ...[...ended, ...awaited, ...lacking].map((status) => [status, false] as const),
  ...mustHaves.limited.map((status) => [status, null] as const),
])
  licences(`an RN license that is ${status}: meets is ${verdict}`, () => {
    for (const credential of [`${status} RN license`, `RN license ${status}`, `RN license (${status})`])
      assert.is(meetsWith(credential), verdict, credential);
  });

for (const credential of ['RN expired 2020', 'RN license, renewal applied for', 'RN examination'])
  licences(`a practical nurse with "${credential}" is no registered nurse`, () => {
    assert.is(meetsWith(credential), false);
  });

licences('a match names the licence that is held and the one that is needed', async () => {
  const { unmet } = await matchOf(registered, practical);
  assert.equal(unmet, ['is a practical nurse; the order needs a registered nurse']);
});

licences('a match names the licence that a person lacks', async () => {
  const { unmet } = await matchOf(heavyTruck, lightTruck);
  assert.equal(unmet, ['shows no licence as a commercial truck driver (CDL), which the order needs']);
});

licences('a licensed nurse elsewhere comes before a practical nurse in town', async () => {
  const { mine } = await makeSandbox(client, {
    candidates: [
      toBody.candidate({ ref: 'practical', onetCode: practical, metro: 'Columbus, OH' }),
      toBody.candidate({ ref: 'registered', onetCode: registered, metro: 'Boise, ID' }),
    ],
    jobOrders: [toBody.jobOrder({ ref: 'o', onetCode: registered, metro: 'Columbus, OH' })],
  });
  const { body } = await client.get('/job-orders/%23o/matches?scope=workspace', mine);
  assert.is(body.matches[0].candidate.ref, 'registered');
});

const unlicensed = () =>
  makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'c', onetCode: practical })],
    jobOrders: [toBody.jobOrder({ ref: 'o', onetCode: registered })],
  });
const proposal = toBody.placement({
  onetCode: registered,
  candidateId: '#c',
  jobOrderId: '#o',
  status: 'proposed',
});

licences('a placement without the licence gets a warning', async () => {
  const { mine } = await unlicensed();
  const { body } = await client.post('/placements', proposal, mine);
  const warning = body.warnings.find(({ code }: Body) => code === 'requirement_unmet');
  assert.is(warning.message, 'is a practical nurse; the order needs a registered nurse');
});

licences('a placement without the licence is refused under strict handling', async () => {
  const { mine } = await unlicensed();
  const { status } = await client.post('/placements', proposal, { ...mine, ...strict });
  assert.is(status, 409);
});

licences.run();
