import type { Factor, Match, Reason } from './match.ts';
import { compareMetros } from './metro.ts';
import type { Profile } from './profile.ts';
import type { Wanted } from './wanted.ts';

/** Quarters of a point that each factor gives a pair. */
type Quarters = Readonly<Record<Factor, number>>;

/** An order and a candidate, with what is known of the two together. */
interface Pair {
  order: Profile;
  candidate: Profile;
  wanted: Wanted;
  /** In hundredths. */
  closeness: number;
  titleOf(code: string): string;
}

type Told = [reason: string, gap?: string];

const mostNamed = 5;
/** Below this many hundredths two occupations are not called close. */
const [close, related] = [60, 30];

function toList(texts: readonly string[]): string {
  const more = texts.length - mostNamed;
  return texts.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const toShare = (hundredths: number) => `${(hundredths / 100).toFixed(2)} of 1`;

function tellOccupation({ order, candidate, closeness, titleOf }: Pair): Told {
  const [asked, own] = [titleOf(order.onetCode), titleOf(candidate.onetCode)];
  if (closeness === 100) return [`is of the same occupation, ${asked}`];
  const how =
    closeness >= close ? 'is close to' : closeness >= related ? 'is related to' : 'is distantly related to';
  const gap =
    closeness === 0 ? `${own} is not related to ${asked}` : `the order is for ${asked}, not for ${own}`;
  return [`${own} ${how} ${asked} (${toShare(closeness)})`, gap];
}

function tellSkills({ order, candidate, wanted, titleOf }: Pair): Told {
  const { had, missing } = wanted.tell(candidate.skills);
  if (wanted.isAsked) {
    const of = wanted.all === 1 ? 'the 1 skill' : `the ${wanted.all} skills`;
    const lacking = `lacks ${missing.length} of ${of} asked for: ${toList(missing)}`;
    const reason = `has ${had.length} of ${of} asked for: ${toList(had)}`;
    return missing.length > 0 ? [reason, lacking] : [reason];
  }
  const title = titleOf(order.onetCode);
  const count = had.length === 1 ? '1 skill that goes' : `${had.length} skills that go`;
  const reason = `has ${count} with ${title}: ${toList(had)}`;
  if (had.length >= wanted.all) return [reason];
  const none = `names no skill that goes with ${title}, and the order asks for none`;
  if (had.length === 0) return ['', none];
  return [reason, `names only ${count} with ${title}; ${wanted.all} count in full`];
}

function tellMetro({ order, candidate }: Pair): Told {
  if (!order.metro) return ['the order names no metro area'];
  if (!candidate.metro) return ['', `names no metro area; the order is in ${order.metro.text}`];
  const how = compareMetros(order.metro, candidate.metro);
  if (how === 'same') return [`is in ${candidate.metro.text}, where the order is`];
  return [
    `is in ${candidate.metro.text}, in the same state as the order (${order.metro.text})`,
    `is in ${candidate.metro.text}; the order is in ${order.metro.text}`,
  ];
}

const tellers: Readonly<Record<Factor, (pair: Pair) => Told>> = {
  occupation: tellOccupation,
  skills: tellSkills,
  metro: tellMetro,
};

/** The match of a pair in words. A factor that gives nothing is a gap alone. */
export function toMatch(pair: Pair, quarters: Quarters): Match {
  const reasons: Reason[] = [];
  const gaps: string[] = [];
  let sum = 0;
  for (const factor of Object.keys(tellers) as Factor[]) {
    const [text, gap] = tellers[factor](pair);
    if (quarters[factor] > 0) reasons.push({ factor, points: quarters[factor] / 4, text });
    if (gap !== undefined) gaps.push(gap);
    sum += quarters[factor];
  }
  return { score: sum / 4, reasons, gaps };
}
