import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../../src/hosts/build/build-service.ts';
import { createGatedWorld, gateDay } from '../../support/gated-people.ts';

const gates = suite('gates, computed a second time');
const matcher = await buildService().matcher();

/** No licence and no must-haves, so that these gates alone decide. */
const plain = { onetCode: '15-1252.00', requires: [], credentials: [] };

interface Terms {
  id: string;
  onetCode: string;
  shift?: string;
  shifts?: string[];
  workplace?: string;
  workplaces?: string[];
  startDate?: string;
  endDate?: string;
  availableFrom?: string;
  hoursPerWeek?: number;
  payRateUsdHour?: number;
  payRateMaxUsdHour?: number;
  salaryUsdYear?: number;
  salaryMaxUsdYear?: number;
  [member: string]: unknown;
}

function drawPair(seed: number) {
  const { chance, drawOrder, drawCandidate, drawHolds } = createGatedWorld(seed);
  const maybe = (member: string, draw: () => number) => (chance(2) === 0 ? {} : { [member]: draw() });
  const most = () => ({
    ...maybe('payRateMaxUsdHour', () => 50 + chance(40)),
    ...maybe('salaryUsdYear', () => 1000 * (40 + chance(80))),
    ...maybe('salaryMaxUsdYear', () => 1000 * (100 + chance(60))),
  });
  const hours = maybe('hoursPerWeek', () => 10 * (1 + chance(5)));
  const order: Terms = { ...drawOrder(0), ...most(), ...plain };
  const person: Terms = { ...drawCandidate(0), ...most(), ...hours, ...plain };
  return { order, person, held: { holds: [...drawHolds(), ...drawHolds()], today: gateDay } };
}

type Pair = ReturnType<typeof drawPair>;
type Match = ReturnType<typeof matcher.match>;
type Verdict = 'met' | 'unmet' | 'unknown' | undefined;

const decide = (isMet: boolean): Verdict => (isMet ? 'met' : 'unmet');
const day = 86_400_000;

/** The day on which the work can start: that of the order, but not before today. */
const toStart = (startDate: string, today: string) => (startDate > today ? startDate : today);

/** Returns the first day on which the work and the placements are too many hours, by counting each day. */
function findFullDay({ order, person, held: { holds, today } }: Pair): string | undefined {
  const last = Date.parse(order.endDate ?? '2027-12-31');
  for (let at = Date.parse(toStart(order.startDate ?? '', today)); at <= last; at += day) {
    const now = new Date(at).toISOString().slice(0, 10);
    const ofDay = holds.filter(({ from, to }) => from <= now && (to === null || now <= to));
    const sum = ofDay.reduce((total, { hours }) => total + hours, order.hoursPerWeek ?? 40);
    if (ofDay.length > 0 && sum > (person.hoursPerWeek ?? 40)) return now;
  }
  return undefined;
}

const isHeldNow = ({ holds, today }: Pair['held']) => holds.some(({ to }) => to === null || to >= today);

/** The pay of a record by the hour and by the year: the most, if it states that. */
const readPay = (terms: Terms) => ({
  hour: terms.payRateMaxUsdHour ?? terms.payRateUsdHour,
  year: terms.salaryMaxUsdYear ?? terms.salaryUsdYear,
});

function judgePay({ order, person }: Pair): Verdict {
  const [most, asks] = [readPay(order), readPay(person)];
  if (most.hour === undefined && most.year === undefined) return undefined;
  if (asks.hour === undefined && asks.year === undefined) return 'unknown';
  const isAlike = (per: 'hour' | 'year') => most[per] !== undefined && asks[per] !== undefined;
  const alike = (['hour', 'year'] as const).filter(isAlike);
  if (alike.length > 0) return decide(alike.some((per) => asks[per]! <= most[per]!));
  const hoursPerYear = 52 * (order.hoursPerWeek ?? 40);
  return decide((asks.year ?? asks.hour! * hoursPerYear) <= (most.year ?? most.hour! * hoursPerYear));
}

function judgeStart({ order, person, held }: Pair): Verdict {
  const { startDate, endDate } = order;
  const latest = startDate === undefined ? endDate : toStart(startDate, held.today);
  if (latest === undefined) return undefined;
  if (person.availableFrom === undefined) return isHeldNow(held) ? undefined : 'unknown';
  return decide(person.availableFrom <= latest);
}

const judgeChoice = (wanted: string | undefined, offered: string[] = []): Verdict => {
  if (wanted === undefined) return undefined;
  return offered.length === 0 ? 'unknown' : decide(offered.includes(wanted));
};

/** What each gate says, the words of it when unmet, and those when it is unknown. */
const rules: Record<string, [judge: (pair: Pair) => Verdict, unmet: RegExp, unknown: string]> = {
  start: [
    judgeStart,
    /^is available from .*; the work (starts|was to start|ends) on /,
    'availability not stated',
  ],
  placements: [
    (pair) => {
      if (findFullDay(pair) !== undefined) return 'unmet';
      return isHeldNow(pair.held) ? 'met' : undefined;
    },
    /^is placed already on /,
    '',
  ],
  shift: [
    ({ order, person }) => judgeChoice(order.shift, person.shifts),
    /the work is (day|evening|night|weekend)$/,
    'shift not stated',
  ],
  pay: [judgePay, /^asks \$.*; the order pays at most \$/, 'pay not stated'],
  workplace: [
    ({ order, person }) => judgeChoice(order.workplace, person.workplaces),
    /the work is (onsite|hybrid|remote)$/,
    'workplace not stated',
  ],
};

/** Checks each of many random pairs. */
function holdForEach(check: (pair: Pair, match: Match, said: string) => void): void {
  for (let seed = 1; seed <= 1500; seed += 1) {
    const pair = drawPair(seed);
    check(pair, matcher.match(pair.order, pair.person, { held: pair.held }), JSON.stringify(pair));
  }
}

for (const [name, [judge, unmet, unknown]] of Object.entries(rules))
  gates(`the ${name} of a pair`, () => {
    const counts = new Map<Verdict, number>();
    holdForEach((pair, match, said) => {
      const expected = judge(pair);
      counts.set(expected, (counts.get(expected) ?? 0) + 1);
      assert.is(
        match.unmet.some((text) => unmet.test(text)),
        expected === 'unmet',
        said,
      );
      assert.is(match.unknown.includes(unknown), expected === 'unknown', said);
    });
    assert.ok(counts.get('unmet')! > 30 && counts.get('met')! > 30, JSON.stringify([...counts]));
  });

gates('a pair meets if no gate is unmet and one is met', () => {
  holdForEach((pair, { meets }, said) => {
    const verdicts = Object.values(rules).map(([judge]) => judge(pair));
    const isMet = verdicts.includes('met') || null;
    assert.is(meets, verdicts.includes('unmet') ? false : isMet, said);
  });
});

gates('for a strict reader the gates that are unknown are unmet too, in the same words', () => {
  holdForEach(({ order, person, held }, { unmet, unknown }, said) => {
    const strict = matcher.match(order, person, { held, isUnstatedUnmet: true });
    assert.equal(strict.unmet.toSorted(), [...unmet, ...unknown].toSorted(), said);
    assert.equal(strict.unknown, [], said);
  });
});

gates('a clash names the first day with too many hours', () => {
  holdForEach((pair, { unmet }, said) => {
    const first = findFullDay(pair);
    const text = unmet.find((one) => one.startsWith('is placed already on '));
    assert.is(text?.split(' ')[4]?.replace(',', ''), first, said);
  });
});

gates('the pay and the shift that were compared are shown', () => {
  holdForEach((pair, match, said) => {
    const isCompared = (verdict: Verdict) => verdict === 'met' || verdict === 'unmet';
    assert.is(match.pay !== undefined, isCompared(judgePay(pair)), said);
    if (match.pay) assert.is(match.pay.asks <= match.pay.most, judgePay(pair) === 'met', said);
    const { order, person } = pair;
    assert.is(match.shift !== undefined, isCompared(judgeChoice(order.shift, person.shifts)), said);
  });
});

gates('fewer hours than those of the work are a gap, if both state them', () => {
  holdForEach(({ order, person }, { gaps }, said) => {
    const isLess = (person.hoursPerWeek ?? Infinity) < (order.hoursPerWeek ?? -Infinity);
    const text = `works ${person.hoursPerWeek} hours a week; the work is ${order.hoursPerWeek}`;
    assert.is(gaps.includes(text), isLess, said);
  });
});

gates.run();
