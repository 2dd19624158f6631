/** Takes the token of a page from its address, and keeps it so that the page can be loaded again. */
export interface TokenStore {
  /** Returns the token, or '' if there is none. Afterwards the address does not contain it. */
  take(): string;
  forget(): void;
  /** Says what is wrong if there is no token. */
  missing: string;
}

const replaceHash = (hash: string) =>
  history.replaceState(null, '', hash === '' ? location.pathname : `#${hash}`);

/** Keeps the token of a page for this tab. */
export const keepInTab = (place: string): TokenStore => ({
  missing: 'This page needs the whole link that you were given: the part after the # is missing.',
  take() {
    const sentToken = location.hash.slice(1);
    if (sentToken === '') return sessionStorage.getItem(place) ?? '';
    replaceHash('');
    sessionStorage.setItem(place, sentToken);
    return sentToken;
  },
  forget: () => sessionStorage.removeItem(place),
});

/** The most tokens that a device keeps for a page. The oldest go first. */
const mostKept = 20;

const namePrefix = 'kept-';

/** Returns a random name for a token. It says nothing of the token. */
function createName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return namePrefix + [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Keeps the tokens of a page on this device. In the address, a random name replaces the token. A bookmark with the name
 * opens the page on this device, and is worth nothing elsewhere.
 */
export function keepOnDevice(place: string): TokenStore {
  const readKept = () => new Map<string, string>(JSON.parse(localStorage.getItem(place) ?? '[]'));
  const writeKept = (kept: Map<string, string>) =>
    localStorage.setItem(place, JSON.stringify([...kept].slice(-mostKept)));
  return {
    missing:
      'This page needs the whole link that you were given. A bookmark works only on the device where the link was opened.',
    take() {
      const given = location.hash.slice(1);
      const kept = readKept();
      if (given === '' || given.startsWith(namePrefix)) return kept.get(given) ?? '';
      const name = [...kept].find(([, token]) => token === given)?.[0] ?? createName();
      writeKept(kept.set(name, given));
      replaceHash(name);
      return given;
    },
    forget() {
      const kept = readKept();
      kept.delete(location.hash.slice(1));
      writeKept(kept);
    },
  };
}
