import { distance } from 'fastest-levenshtein';

/** An environment variable that has no effect, and the setting that was probably meant. */
interface NearSetting {
  sent: string;
  meant: string;
}

/** Names shorter than this are not compared letter by letter: PORT is one letter away from too many words. */
const leastLetters = 5;

const toLetters = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const toWords = (name: string) =>
  name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.replace(/s$/, ''));

/** Whether `sent` is `name` without its last word, or with another one, such as REQUEST_TIMEOUT_MS for _SECONDS. */
function hasOtherUnit(sent: string[], name: string[]): boolean {
  const shared = name.slice(0, -1);
  const isAsLong = sent.length === shared.length || sent.length === name.length;
  return shared.length >= 2 && isAsLong && shared.every((word, place) => sent[place] === word);
}

/** Whether `sent` is `name` in another spelling, order or number of its words, or with a letter or two wrong. */
function isNear(sent: string, name: string): boolean {
  const [letters, nameLetters] = [toLetters(sent), toLetters(name)];
  if (letters === nameLetters) return true;
  const [words, nameWords] = [toWords(sent), toWords(name)];
  if (words.toSorted().join(' ') === nameWords.toSorted().join(' ')) return name.length >= leastLetters;
  if (hasOtherUnit(words, nameWords)) return true;
  const mostMistakes = Math.max(1, Math.round(nameLetters.length / 6));
  return name.length >= leastLetters && distance(letters, nameLetters) <= mostMistakes;
}

/** Whether a value is one that Kubernetes sets, such as CAREERS_PORT for a service that is called careers. */
const isServiceLink = (value: string) => /^(tcp|udp):\/\//.test(value);

/**
 * Finds environment variables that look like a setting and are none, such as BASEURL or CAREERS_PORT. Skips those that
 * only share a word with a setting, such as DOCKER_HOST.
 */
export function findNearSettings(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): NearSetting[] {
  return Object.entries(env).flatMap(([sent, value]) => {
    if (!value || names.includes(sent) || /^npm_/i.test(sent) || isServiceLink(value)) return [];
    const bare = sent.replace(/^CAREERS_/i, '');
    const meant = names.find((name) => name === bare) ?? names.find((name) => isNear(bare, name));
    return meant === undefined ? [] : [{ sent, meant }];
  });
}

export const explainNearSetting = ({ sent, meant }: NearSetting): string =>
  `${sent} is set, but no setting has this name, so it has no effect. Did you mean ${meant}?`;
