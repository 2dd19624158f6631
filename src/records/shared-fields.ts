import * as v from 'valibot';
import { listSchema, textSchema } from '../kernel/text.ts';
import { toWords } from '../occupations/titles/words.ts';
import type { Kind } from './kind.ts';

/** Skills that a candidate has, or that a job order asks for. */
export const skills = v.optional(
  v.pipe(
    listSchema(textSchema(80, 'Skill', 'One skill, 1 to 80 characters.'), 50, 'skills'),
    v.description('Up to 50 skills.'),
  ),
);

/** Where a candidate is, or the work. */
export const metro = v.optional(textSchema(200, 'Metro', 'Metropolitan area, such as "Columbus, OH".'));

/** Which texts hold every word of a value, case and plural ignored; one without words of Latin letters is to be equal. */
function toHolds(value: string): (text: string) => boolean {
  const wanted = toWords(value);
  if (wanted.length === 0) return (text) => text.toLowerCase() === value.toLowerCase();
  // A word is its stem or begins with nearly all of it, where nothing in the text is left out or rewritten.
  const beginning = wanted[0]!.slice(0, -1);
  return (text) => {
    if (/^[a-z0-9 ,/()-]*$/i.test(text) && !text.toLowerCase().includes(beginning)) return false;
    const words = new Set(toWords(text));
    return wanted.every((word) => words.has(word));
  };
}

type Filter = Kind['filters'][string];

/** Those with a skill that holds every word of the filter. */
export const skillFilter: Filter = {
  title: 'Skill',
  description: 'Has such a skill: whole words.',
  toTest(value) {
    const holds = toHolds(value);
    return ({ skills = [] }) => (skills as string[]).some(holds);
  },
};

/** Those in a metropolitan area that holds every word of the filter. */
export const metroFilter: Filter = {
  title: 'Metro',
  description: 'Is there: whole words, such as "Columbus".',
  toTest(value) {
    const holds = toHolds(value);
    return ({ metro = '' }) => holds(metro as string);
  },
};
