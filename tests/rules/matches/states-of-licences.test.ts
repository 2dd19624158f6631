import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import content from '../../../content/must-haves.json' with { type: 'json' };
import { readOne } from '../../support/imports.ts';
import { judgeCredential, type Verdict } from '../../support/verdicts.ts';

const states = suite('the state of a licence');

const { ended, awaited, lacking } = content.notHeld;
const all = Object.entries(content.states);

/** Ways to write a licence of a state, by its code or name. */
const ways: ((state: string) => string)[] = [
  (state) => `RN license ${state}`,
  (state) => `RN license - ${state}`,
  (state) => `RN license (${state})`,
  (state) => `RN license, ${state}`,
  (state) => `RN licensed in ${state}`,
  (state) => `${state} RN license`,
  (state) => `rn license ${state.toLowerCase()}`,
  (state) => `RN LICENSE ${state.toUpperCase()}`,
  (state) => `RN license ${state} until 2027-12-31`,
  (state) => `RN license ${state}, never expires`,
];
/** Ways to ask for a licence: those without a last day. */
const asked = ways.slice(0, 8);

states('a licence of a state meets it, whichever way the two are written', () => {
  for (const [code, name] of all)
    for (const want of asked)
      for (const write of ways)
        for (const [one, other] of [
          [code, name],
          [name, code],
          [code, code],
        ] as const)
          assert.is(judgeCredential(want(one), write(other)), 'met', `${want(one)}: ${write(other)}`);
});

states('a licence of another state never meets', () => {
  for (const [code, name] of all)
    for (const want of asked)
      for (const [at, [otherCode, otherName]] of all.entries()) {
        if (otherCode === code) continue;
        const write = ways[at % ways.length]!;
        for (const one of [code, name])
          for (const other of [otherCode, otherName])
            assert.is(judgeCredential(want(one), write(other)), 'unmet', `${want(one)}: ${write(other)}`);
      }
});

states('a short name of a licence is enough beside a code, except beside a title', () => {
  for (const [code, name] of all) {
    assert.is(judgeCredential(`${name} RN license`, `RN ${code}`), 'met', code);
    assert.is(judgeCredential(`RN license ${code}`, `RN ${code} until 2027-12-31`), 'met', code);
    assert.is(judgeCredential(`CDL A ${code}`, `CDL A ${code === 'TX' ? 'OH' : 'TX'}`), 'unmet', code);
  }
});

states('a word of status beside a state makes its licence not held, at each place', () => {
  for (const status of [...ended, ...awaited, ...lacking, ...content.limited])
    for (const state of ['OH', 'Ohio', 'IN', 'OR', 'MA']) {
      const verdict = content.limited.includes(status) ? 'unknown' : 'unmet';
      for (const text of [
        `RN ${status} ${state}`,
        `RN license ${status} ${state}`,
        `RN license ${status} - ${state}`,
        `RN license ${status} (${state})`,
        `RN license ${state} ${status}`,
        `RN license ${state} (${status})`,
        `RN license ${state}, ${status}`,
        `RN license ${status} ${state} until 2027-12-31`,
        `${state} RN license ${status}`,
      ])
        assert.is(judgeCredential('RN', text), verdict, text);
    }
});

states('a column with the state of a licence changes nothing of its status', async () => {
  for (const [license, verdict] of [
    ['RN pending', 'unmet'],
    ['RN inactive', 'unmet'],
    ['RN license expired', 'unmet'],
    ['RN student', 'unknown'],
    ['RN', 'met'],
  ] as const)
    for (const state of ['OH', 'IN', 'MA']) {
      const row = `Ann,Office Clerk,${license},${state}`;
      const { credentials } = await readOne('Name,Job Title,License,License State', row);
      assert.is(judgeCredential(`RN license ${state}`, ...credentials), verdict, row);
    }
});

/** A must-have, a credential, and what it counts as. */
const rows: [string, string, Verdict][] = [
  ['RN WA', 'RN Washington DC', 'unmet'],
  ['RN WA', 'RN Washington, D.C.', 'unmet'],
  ['RN DC', 'RN Washington, DC', 'met'],
  ['RN KS', 'RN Kansas City, MO', 'unmet'],
  ['RN MO', 'RN Kansas City, MO', 'met'],
  ['RN NY', 'RN New York City', 'met'],
  ['RN license IN', 'RN license in TX', 'unmet'],
  ['IN RN', 'RN TX', 'unmet'],
  ['RN license IN', 'RN license IN #28123456A', 'met'],
  ['RN license IN', 'RN license OH/IN', 'met'],
  ['RN license OR', 'RN or LPN', 'unmet'],
  ['OR', 'OR nurse', 'met'],
  ['OR', 'RN - OR', 'met'],
  ['OR', 'Oregon RN license', 'unmet'],
  ['RN license in progress', 'RN license in progress', 'met'],
  ['patient check-in', 'check-in for patients', 'met'],
  ['PATIENT CHECK IN', 'patient check-in', 'met'],
  ['certified in home care', 'home care', 'met'],
  ['MD license', 'MD license TX', 'met'],
  ['MD license', 'Maryland nursing license', 'unmet'],
  ['MD license', 'RN license MD', 'unmet'],
  ['MA', 'certified MA', 'met'],
  ['Medical assistant MA', 'MA, medical assistant', 'met'],
  ['RN MD', 'RN license MD', 'met'],
];
for (const [requires, credential, verdict] of rows)
  states(`"${credential}" for "${requires}" is ${verdict}`, () => {
    assert.is(judgeCredential(requires, credential), verdict);
  });

states.run();
