import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { toChance } from '../../support/people.ts';
import { nurse, order, world } from '../../support/plans.ts';

const words = suite('skills of the same words');

const names = ['ICU', 'Wound care', 'Patient assessment', 'Epic charting', 'IV therapy', 'Care plan'];

/** Writes a skill with its words in another order, case or number. */
function rewrite(name: string, chance: (below: number) => number): string {
  const parts = name.split(' ');
  const turned = chance(2) === 0 ? parts.toReversed() : parts;
  const cased = turned.map((part) => (chance(2) === 0 ? part.toUpperCase() : part.toLowerCase()));
  const text = cased.join([' ', '  ', ' / '][chance(3)]);
  // Short words have no plural that is known.
  return chance(2) === 0 && /\w{4}$/.test(text) ? `${text}s` : text;
}

/** Returns the points, the reasons and the gaps of a person for an order. */
async function explain(skills: readonly string[], asked: readonly string[]): Promise<Body> {
  const desk = await world.open({
    candidates: [nurse('a', { skills })],
    jobOrders: [order('o', { skills: asked })],
  });
  const { body } = await desk.get('/job-orders/%23o/matches?scope=workspace');
  const [{ score, reasons, gaps }] = body.matches;
  return { score, reasons, gaps };
}

words('count once, for a person and for an order', async () => {
  const chance = toChance(20);
  for (let run = 0; run < 12; run += 1) {
    const own = names.filter(() => chance(2) === 0);
    const asked = names.filter(() => chance(3) === 0);
    const again = (all: readonly string[]) => all.flatMap((name) => [name, rewrite(name, chance)]);
    const [ownTwice, askedTwice] = [again(own), again(asked)];
    const said = JSON.stringify({ ownTwice, askedTwice });
    assert.equal(await explain(ownTwice, askedTwice), await explain(own, asked), said);
  }
});

words('count each if the words differ', async () => {
  const skills = [...names, 'Bed side', 'Bedside'];
  const { reasons } = await explain(skills, skills);
  assert.match(reasons.find(({ factor }: Body) => factor === 'skills').text, 'has 8 of the 8 skills');
});

words.run();
