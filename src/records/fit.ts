import * as v from 'valibot';
import { toList, toText } from '../kernel/text.ts';
import { toWords } from '../occupations/title-words.ts';
import type { Kind } from './kind.ts';

/** Skills that a candidate has, or that a job order asks for. */
export const skills = v.optional(
  v.pipe(
    toList(toText(80, 'Skill', 'One skill, 1 to 80 characters.'), 50, 'skills'),
    v.description('Up to 50 skills.'),
  ),
);

/** Where a candidate is, or the work. */
export const metro = v.optional(toText(200, 'Metro', 'Metropolitan area, such as "Columbus, OH".'));

/** Whether a text holds every word of another, case and plural ignored. */
function holdsWords(text: string, wanted: readonly string[]): boolean {
  const words = new Set(toWords(text));
  return wanted.length > 0 && wanted.every((word) => words.has(word));
}

type Filter = Kind['filters'][string];

/** Those with a skill that holds every word of the filter. */
export const skillFilter: Filter = {
  title: 'Skill',
  description: 'Has such a skill: whole words.',
  toTest(value) {
    const wanted = toWords(value);
    return ({ skills = [] }) => (skills as string[]).some((skill) => holdsWords(skill, wanted));
  },
};

/** Those in a metropolitan area that holds every word of the filter. */
export const metroFilter: Filter = {
  title: 'Metro',
  description: 'Is there: whole words, such as "Columbus".',
  toTest(value) {
    const wanted = toWords(value);
    return ({ metro = '' }) => holdsWords(metro as string, wanted);
  },
};
