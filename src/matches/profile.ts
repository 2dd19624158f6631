import { toWords } from '../occupations/titles/words.ts';
import { type Metro, toMetro } from './metro.ts';

/** What is looked at in an order or a candidate; `id` only tells equal scores apart. */
export interface Matchable {
  id: string;
  onetCode: string;
  /** What an order asks for, or a candidate has. */
  skills?: readonly string[] | undefined;
  metro?: string | undefined;
}

/** A skill as it was sent, and its different words: lower case, no accents, singular. */
export interface Skill {
  text: string;
  words: readonly string[];
  /** The same for two texts of the same words. */
  key: string;
}

/** An order or a candidate as it is compared. */
export interface Profile {
  id: string;
  onetCode: string;
  /** Different ones, in the order that they were sent in. */
  skills: readonly Skill[];
  metro: Metro | undefined;
  /** Characters of its skills: how much there is to look at. */
  size: number;
}

/** A text of signs alone, such as "!", is one word. */
export function toSkill(text: string): Skill {
  const found = [...new Set(toWords(text))];
  const words = found.length > 0 ? found : [text.trim()];
  return { text, words, key: words.toSorted().join(' ') };
}

const mostKept = 4096;

/** Makes what `make` makes of a text, and keeps as much of it as is worth it: many records say the same. */
function keepByText<T>(make: (text: string) => T): (text: string) => T {
  let kept = new Map<string, T>();
  return (text) => {
    let made = kept.get(text);
    if (made === undefined) {
      if (kept.size >= mostKept) kept = new Map();
      made = make(text);
      kept.set(text, made);
    }
    return made;
  };
}

const readSkill = keepByText(toSkill);
const readMetro = keepByText(toMetro);

function readSkills(texts: readonly string[]): Skill[] {
  const skills = texts.map(readSkill);
  return skills.filter(({ key }, at) => skills.findIndex((other) => other.key === key) === at);
}

const profiles = new WeakMap<Matchable, Profile>();

/** The profile of a record, which is not changed any more: made once. */
export function toProfile(record: Matchable): Profile {
  let profile = profiles.get(record);
  if (!profile) {
    const { id, onetCode, skills = [], metro } = record;
    profile = {
      id,
      onetCode,
      skills: readSkills(skills),
      metro: metro === undefined ? undefined : readMetro(metro),
      size: skills.reduce((sum, { length }) => sum + length, 0),
    };
    profiles.set(record, profile);
  }
  return profile;
}
