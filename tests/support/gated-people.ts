import type { Matchable } from '../../src/records/kind/factor.ts';
import { toChance } from './people.ts';

/** The day on which gates are read. */
export const gateDay = '2026-12-15';

const codes = ['29-1141.00', '29-1141.03', '53-3032.00', '15-1252.00'];
const shifts = ['day', 'evening', 'night', 'weekend'];
const workplaces = ['onsite', 'hybrid', 'remote'];
const days = ['2026-12-01', '2026-12-15', '2027-01-15', '2027-02-20', '2027-06-30'];
const skills = ['ICU', 'Python', 'Forklift', 'Dialysis'];
const metros = ['Columbus, OH', 'Cleveland, OH', 'Austin, TX'];
/** More than a ranking tells apart when they end during the work. */
const requirements = ['BLS', 'ACLS', 'CDL A', ...Array.from({ length: 14 }, (_, at) => `Permit ${at}`)];

type Draw = Matchable & Record<string, unknown>;

/** Draws orders and candidates of few values, so that gates are met, unmet and unknown, and many scores are equal. */
export function createGatedWorld(seed: number) {
  const chance = toChance(seed);
  const pick = <T>(all: readonly T[]): T => all[chance(all.length)]!;
  const some = (all: readonly string[], most: number) =>
    Array.from({ length: chance(most + 1) }, () => pick(all));
  const maybe = (member: string, draw: () => unknown) => (chance(2) === 0 ? {} : { [member]: draw() });
  const drawCredential = (name: string) =>
    pick([name, `${name} until ${pick(days)}`, `${name} until ${pick(days)}`, `${name} pending`]);
  const drawOrder = (at: number): Draw => ({
    id: `job_${at}`,
    onetCode: pick(codes),
    requires: chance(4) === 0 ? requirements.slice(0, 14 + chance(3)) : some(requirements.slice(0, 3), 2),
    skills: some(skills, 2),
    ...maybe('metro', () => pick(metros)),
    ...maybe('payRateUsdHour', () => 20 + chance(60)),
    ...maybe('hoursPerWeek', () => 10 + chance(50)),
    ...maybe('shift', () => pick(shifts)),
    ...maybe('workplace', () => pick(workplaces)),
    ...maybe('startDate', () => pick(days)),
    ...maybe('endDate', () => '2027-06-30'),
  });
  const drawCandidate = (at: number): Draw => ({
    id: `cand_${at}`,
    onetCode: pick(codes),
    credentials: (chance(2) === 0 ? requirements : some(requirements, 3)).map(drawCredential),
    skills: some(skills, 2),
    ...maybe('metro', () => pick(metros)),
    ...maybe('shifts', () => [pick(shifts), pick(shifts)]),
    ...maybe('workplaces', () => [pick(workplaces)]),
    ...maybe('payRateUsdHour', () => 20 + chance(60)),
    ...maybe('availableFrom', () => pick(days)),
  });
  const drawHolds = () => {
    if (chance(3) > 0) return [];
    const from = chance(days.length);
    return [{ from: days[from]!, to: pick([null, ...days.slice(from)]), hours: pick([10, 20, 40]) }];
  };
  return { chance, pick, drawOrder, drawCandidate, drawHolds };
}
