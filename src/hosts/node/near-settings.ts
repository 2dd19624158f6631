import { distance } from 'fastest-levenshtein';

/** An environment variable that has no effect, and the setting that was probably meant. */
interface NearSetting {
  sent: string;
  meant: string;
}

/** Shorter names, such as PORT, are a letter away from too many other words. */
const shortestMisspelled = 5;

const toLetters = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const toWords = (name: string) =>
  name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.replace(/s$/, ''));

/** Whether two names differ in nothing but their last word, and share at least two: REQUEST_TIMEOUT_MS. */
function hasOtherUnit(sent: string[], name: string[]): boolean {
  const shared = name.slice(0, -1);
  if (shared.length < 2 || Math.abs(sent.length - shared.length - 0.5) > 0.5) return false;
  return shared.every((word, place) => sent[place] === word);
}

/** Whether `sent` is `name` in another spelling, order or number of its words, or with a letter or two wrong. */
function isNear(sent: string, name: string): boolean {
  const [letters, nameLetters] = [toLetters(sent), toLetters(name)];
  if (letters === nameLetters) return true;
  const [words, nameWords] = [toWords(sent), toWords(name)];
  if (words.toSorted().join(' ') === nameWords.toSorted().join(' ')) return name.length >= shortestMisspelled;
  if (hasOtherUnit(words, nameWords)) return true;
  const mostWrong = Math.max(1, Math.round(nameLetters.length / 6));
  return name.length >= shortestMisspelled && distance(letters, nameLetters) <= mostWrong;
}

/** Kubernetes sets such variables for a service that is called careers. */
const isServiceLink = (value: string) => /^(tcp|udp):\/\//.test(value);

/**
 * Finds environment variables that look like a setting and are none, such as BASEURL or CAREERS_PORT. A variable that
 * only has a word in common with a setting, such as DOCKER_HOST, is left alone.
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
