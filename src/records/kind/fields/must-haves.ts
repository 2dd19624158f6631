import * as v from 'valibot';
import type { Warning } from '../../../kernel/envelope.ts';
import { CalendarDate, listSchema, may, say, textSchema } from '../../../kernel/text.ts';
import { foldText, type Phrase } from '../../../kernel/words.ts';
import type { StoredRecord } from '../../../workspace/record.ts';
import { splitValues } from '../filters.ts';
import type { Member } from '../member.ts';
import {
  listExpiringCredentials,
  listQualified,
  readHeldCredential,
  readHeldSkill,
} from '../phrases/held-phrase.ts';
import { holds, readShownPhrases, type WithPhrases } from '../phrases/shown-phrases.ts';
import { readStatement } from '../phrases/statement.ts';
import type { Sorts } from '../sort.ts';
import { isState } from './states.ts';

const nouns = { skills: 'skill', credentials: 'credential' } as const;

/** Returns advice for each skill or credential that says that it is not held. */
export const warnNotHeld = ({ skills = [], credentials = [] }: StoredRecord & WithPhrases): Warning[] =>
  Object.entries({
    skills: listQualified(skills, readHeldSkill),
    credentials: listQualified(credentials, readHeldCredential),
  }).flatMap(([member, held]) =>
    held.flatMap(({ text, status }) => {
      const words = status.find(({ standing, of }) => standing === 'lacking' && !of)?.forms.join(' ');
      if (words === undefined) return [];
      const noun = nouns[member as keyof typeof nouns];
      const index = (member === 'skills' ? skills : credentials).indexOf(text);
      const message = `says "${words}", so it counts as no ${noun}; leave it out, or name what there is`;
      return [{ code: 'not_held', path: `${member}[${index}]`, message, advice: true as const }];
    }),
  );

/** Returns advice for each credential that says that it ends, without a day that can be read. */
export const warnUnreadDays = ({ credentials = [] }: StoredRecord & WithPhrases): Warning[] =>
  listQualified(credentials, readHeldCredential).flatMap(({ text, hasUnreadDay }) => {
    if (!hasUnreadDay) return [];
    const path = `credentials[${credentials.indexOf(text)}]`;
    const message =
      'says that it ends, and its day is not read, so what depends on it is unknown; write until YYYY-MM-DD';
    return [{ code: 'day_not_read', path, message, advice: true as const }];
  });

/** Whether a must-have begins by saying what is not wanted. */
const isUnwanted = (text: string): boolean =>
  /^\s*(?:no|not|without|lacks)(?![\p{L}\p{N}\p{M}‐–-])/u.test(foldText(text));

/**
 * Returns the values of a filter: the whole text, and its parts between commas. A part that is only a state is none, so
 * "RN, PA" is one value.
 */
function splitWanted(value: string, read: (text: string) => Phrase): { whole: Phrase; parts: Phrase[] } {
  const texts = splitValues(value);
  const parts = texts.map(read);
  const isSplit = parts.length > 1 && texts.every((text) => !readStatement(text).wanted.every(isState));
  return { whole: read(value), parts: isSplit ? parts : [] };
}

type TextsTest = (texts: readonly string[]) => boolean;

/** Returns a test for lists of texts that show a value: one text does, or one for each part between commas. */
export function createShownTest(
  value: string,
  read: (text: string) => Phrase,
  createTest: (wanted: Phrase) => TextsTest,
): TextsTest {
  const { whole, parts } = splitWanted(value, read);
  const showsWhole = createTest(whole);
  const showPart = parts.map(createTest);
  return (texts) => showsWhole(texts) || (showPart.length > 0 && showPart.every((shows) => shows(texts)));
}

const phrase = (title: string, description: string) => textSchema(80, title, description);

export const credentials = {
  schema: may(
    listSchema(phrase('Credential', 'One credential, 1 to 80 characters.'), 20, 'credentials'),
    'Up to 20, such as "CDL A" or, with its last day, "RN license PA until 2027-08-31".',
  ),
  filters: {
    credential: {
      title: 'Credential',
      description: 'Holds it: one credential has all its words.',
      createTest(value) {
        const isShown = createShownTest(
          value,
          readStatement,
          (wanted) => (credentials) => holds(readShownPhrases({ credentials }), wanted),
        );
        return ({ credentials = [] }: StoredRecord & WithPhrases) => isShown(credentials);
      },
    },
    expiresBefore: {
      title: 'Expires before',
      description: 'Has a credential that ends before this day; soonest first.',
      values: CalendarDate,
      usualSort: 'expires',
      createTest:
        (day) =>
        ({ credentials = [] }: StoredRecord & WithPhrases) =>
          listExpiringCredentials(credentials, day).length > 0,
      present: ({ credentials }, day) => ({
        expiring: listExpiringCredentials(credentials as string[], day),
      }),
    },
  },
  search: 'words',
  client: 'shown',
  file: { form: 'list', hasDays: true },
} satisfies Member;

/** What a list with `expiresBefore` says of each record. */
export const expiring = may(
  v.array(
    v.object({
      credential: say(v.string(), 'As it is written.'),
      until: say(CalendarDate, 'Its last day.'),
    }),
  ),
  'With expiresBefore: its credentials that end before that day.',
);

/** The first day on which a credential of a record ends. */
export const sortByExpiry: Sorts = {
  expires: ({ record: { credentials = [] } }: { record: StoredRecord & WithPhrases }) =>
    listExpiringCredentials(credentials, '~')[0]?.until,
};

/** The must-haves of a job order. Each is met if one credential or skill of a candidate has all its words. */
export const requires = {
  schema: may(
    listSchema(
      v.pipe(
        phrase('Must-have', 'One must-have, 1 to 80 characters.'),
        v.check(
          (text) => !isUnwanted(text),
          'says what is not wanted, and only what is there can be required; say what must be there',
        ),
      ),
      20,
      'must-haves',
    ),
    'Up to 20 must-haves: each is met by one credential or skill that has all its words.',
  ),
  search: 'words',
  client: 'shown',
  file: { form: 'list', hasDays: true },
} satisfies Member;
