import content from '../../../../content/must-haves.json' with { type: 'json' };
import { createPhrase, foldText, hasWord, type Phrase, readWords, type Word } from '../../../kernel/words.ts';

/** A name of one thing, as a phrase of the words that it needs. */
interface Name {
  phrase: Phrase;
  /** The word that stands for all names of the thing. */
  synonym: Word;
}

const idle = new Set(content.idleWords);

/** Whether a word adds nothing to a credential, such as "license". */
export const isIdleInStatement = ({ forms }: Word): boolean => idle.has(forms[0]!);

const parseName = (text: string, isLeftOut: (word: Word) => boolean): Phrase =>
  createPhrase(text, readWords(text), isLeftOut);

const keepAll = () => false;
const findLongest = ({ wanted }: Phrase): Word =>
  wanted.toSorted((a, b) => b.forms[0]!.length - a.forms[0]!.length)[0]!;

function createNames(texts: readonly string[], isLeftOut: (word: Word) => boolean): Name[] {
  const phrases = texts.map((text) => parseName(text, isLeftOut));
  const names = phrases.map(findLongest);
  // A form with "=" is never a word that is read from a text.
  const synonym = { text: texts[0]!, forms: [`=${foldText(texts[0]!)}`], parts: [], names };
  return phrases.map((phrase) => ({ phrase, synonym }));
}

const keptNames = content.keptPhrases.flatMap((text) => createNames([text], keepAll));
const allNames = [
  ...keptNames,
  ...content.synonyms.flatMap(({ names }) => names.flatMap((texts) => createNames(texts, isIdleInStatement))),
];

/** The names by each form of their longest word. */
const namesByForm = new Map<string, Name[]>();
for (const name of allNames)
  for (const form of findLongest(name.phrase).forms)
    namesByForm.set(form, [...(namesByForm.get(form) ?? []), name]);

/** Lists the names of which a phrase has all words. */
function listNames(phrase: Phrase): Name[] {
  const possible = [...phrase.forms, ...phrase.alone].flatMap((form) => namesByForm.get(form) ?? []);
  return [...new Set(possible)].filter((name) =>
    name.phrase.wanted.every((word) => hasWord(phrase, word, name.phrase)),
  );
}

const isOneOf = ({ forms }: Word, names: readonly Name[]): boolean =>
  names.some(({ phrase }) => forms.some((form) => phrase.forms.has(form)));

/** Whether a name is a part of another one: "registered nurse" of "advanced practice registered nurse". */
const isPartOf = ({ phrase }: Name, other: Name): boolean =>
  other.phrase.wanted.length > phrase.wanted.length &&
  phrase.wanted.every(({ forms }) => other.phrase.forms.has(forms[0]!));

/** Adds to a phrase the words that stand for the names in it. As a query it wants these instead of the names. */
export function addSynonyms(phrase: Phrase): Phrase {
  const names = listNames(phrase);
  if (names.length === 0) return phrase;
  const synonyms = [...new Set(names.map(({ synonym }) => synonym))];
  const whole = names.filter((name) => !names.some((other) => isPartOf(name, other)));
  const wanted = new Set(whole.map(({ synonym }) => synonym));
  const forms = synonyms.flatMap((synonym) => synonym.forms);
  const nameForms = synonyms.flatMap(({ names = [] }) => names.flatMap((name) => name.forms));
  return {
    ...phrase,
    words: [...phrase.words, ...synonyms],
    wanted: [...phrase.wanted.filter((word) => !isOneOf(word, names)), ...wanted],
    // The words of other names too, because a letter may count only together with one: "CDL-A".
    forms: new Set([...phrase.forms, ...forms, ...nameForms]),
    alone: new Set([...phrase.alone, ...forms]),
  };
}

/** Whether a word of a phrase belongs to one of the kept phrases, such as "learning" to "machine learning". */
export const isKept = (word: Word, phrase: Phrase): boolean =>
  isOneOf(
    word,
    listNames(phrase).filter((name) => keptNames.includes(name)),
  );

/** Lists the words in a phrase that stand for the names of a thing. */
export const listSynonyms = ({ words }: Phrase): string[] =>
  words.flatMap(({ forms: [form = ''] }) => (form.startsWith('=') ? [form] : []));
