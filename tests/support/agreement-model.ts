import * as fc from 'fast-check';
import type { Body } from './http.ts';
import { makeWorld, toDate } from './outcome-world.ts';

const parties = ['client', 'candidate'] as const;
type Party = (typeof parties)[number];
type Step =
  | { do: 'state'; result: string; day: number }
  | { do: 'ask'; party: Party }
  | { do: 'read'; party: Party }
  /** An answer to the statement that the party read so many reads ago. */
  | { do: 'answer'; party: Party; agrees: boolean; ago: number }
  | { do: 'change'; member: object }
  | { do: 'end' };

const party = fc.constantFrom(...parties);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('state' as const),
    result: fc.constantFrom('retained', 'converted', 'attrited'),
    day: fc.integer({ min: 0, max: 45 }),
  }),
  fc.record({ do: fc.constant('ask' as const), party }),
  fc.record({ do: fc.constant('read' as const), party }),
  fc.record({
    do: fc.constant('answer' as const),
    party,
    agrees: fc.boolean(),
    ago: fc.integer({ min: 0, max: 2 }),
  }),
  fc.record({
    do: fc.constant('change' as const),
    member: fc.constantFrom<object>(
      { startDate: toDate(-1) },
      { startDate: toDate(3) },
      { onetCode: '29-1141.01' },
      { candidateId: 'cand_035' },
      { jobOrderId: 'job_033' },
    ),
  }),
  fc.constant({ do: 'end' as const }),
);

const toText = ({ result, asOf, startDate }: Body) => JSON.stringify([result, asOf, startDate]);

/**
 * Plays random sequences of stating, asking, reading, answering, restating and changing on placements of a service in
 * memory. Answers what was broken, with the sequence that shows it: an outcome that is validated though a party that
 * agrees read another statement, or though a party that disagreed has not agreed since.
 */
export async function breakAgreement({
  runs,
  seed,
}: {
  runs: number;
  seed?: number;
}): Promise<string | undefined> {
  let world = await makeWorld();
  let played = 0;

  async function play(steps: readonly Step[]): Promise<void> {
    played += 1;
    if (played % 2000 === 0) {
      await world.store.close();
      world = await makeWorld();
    }
    const placed = await world.placeOn45();
    const tokens: Partial<Record<Party, string>> = {};
    const reads: Record<Party, Body[]> = { client: [], candidate: [] };
    const agreedWith: Partial<Record<Party, string>> = {};
    const disagree = new Set<Party>();
    for (const one of steps) {
      if (one.do === 'state') await placed.state(one.result, { asOf: toDate(one.day) });
      else if (one.do === 'change') await placed.patch(one.member);
      else if (one.do === 'end')
        await placed.patch({ status: 'ended-early', endDate: toDate(44), endReason: 'other' });
      else if (one.do === 'ask')
        tokens[one.party] = (await placed.request(one.party)).body.confirmation?.token ?? tokens[one.party];
      else {
        const token = tokens[one.party];
        if (token === undefined) continue;
        if (one.do === 'read') {
          const { status, body } = await world.show(token);
          if (status === 200) reads[one.party].unshift(body);
          continue;
        }
        const read = reads[one.party][one.ago];
        if (!read) continue;
        const { status } = await world.confirm(token, one.agrees, { tag: read.tag });
        if (status === 200 && one.agrees) {
          agreedWith[one.party] = toText(read.statement);
          disagree.delete(one.party);
        } else if (status === 200) disagree.add(one.party);
      }
      const { outcome, startDate } = await placed.read();
      if (!outcome.validated) continue;
      const stated = toText({ ...outcome, startDate });
      const agreeing = outcome.confirmations.filter(({ agrees }: Body) => agrees);
      if (agreeing.length === 0) throw new Error('validated, and nobody agrees');
      for (const { party: who } of agreeing as { party: Party }[])
        if (agreedWith[who] !== stated) throw new Error(`the ${who} read another statement`);
      if (disagree.size > 0) throw new Error(`validated, and the ${[...disagree]} disagrees`);
    }
  }

  const sequence = fc.array(step, { minLength: 4, maxLength: 14 });
  const details = await fc.check(fc.asyncProperty(sequence, play), {
    numRuns: runs,
    ...(seed !== undefined && { seed }),
  });
  await world.store.close();
  return details.failed ? fc.defaultReportMessage(details) : undefined;
}
