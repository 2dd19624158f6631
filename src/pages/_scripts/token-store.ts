/** Reads the token of a page from its address, and stores it so that the page can be loaded again. */
export interface TokenStore {
  /**
   * Returns the token, or '' if there is none. If the browser stores it, the address no longer contains it. Otherwise it
   * stays there, so that the page can still be loaded again.
   */
  read(): string;
  forget(): void;
  /** Says what is wrong if there is no token. */
  missingMessage: string;
}

const replaceHash = (hash: string) =>
  history.replaceState(null, '', hash === '' ? location.pathname : `#${hash}`);

/** Returns undefined if the browser does not let the page store anything, or if what is stored is damaged. */
function tryStorage<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** Stores a text. Returns whether the browser did. */
function store(getStorage: () => Storage, key: string, text: string): boolean {
  const isStored = tryStorage(() => {
    getStorage().setItem(key, text);
    return true;
  });
  return isStored ?? false;
}

/** Stores the token of a page for this tab. */
export const storeInTab = (storageKey: string): TokenStore => ({
  missingMessage: 'This page needs the whole link that you were given: the part after the # is missing.',
  read() {
    const sentToken = location.hash.slice(1);
    if (sentToken === '') return tryStorage(() => sessionStorage.getItem(storageKey)) ?? '';
    if (store(() => sessionStorage, storageKey, sentToken)) replaceHash('');
    return sentToken;
  },
  forget: () => tryStorage(() => sessionStorage.removeItem(storageKey)),
});

/** The most tokens that a device stores for a page. The oldest go first. */
const mostTokens = 20;

const namePrefix = 'kept-';

/** Returns a random name for a token. It says nothing of the token. */
function createName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return namePrefix + [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Stores the tokens of a page on this device. In the address, a random name replaces the token. A bookmark with the name
 * opens the page on this device, and is worth nothing elsewhere.
 */
export function storeOnDevice(storageKey: string): TokenStore {
  /** Returns the stored tokens by name. */
  const readTokens = (): Map<string, string> =>
    tryStorage(() => new Map(JSON.parse(localStorage.getItem(storageKey) ?? '[]'))) ?? new Map();
  const storeTokens = (tokens: Map<string, string>): boolean =>
    store(() => localStorage, storageKey, JSON.stringify([...tokens].slice(-mostTokens)));
  return {
    missingMessage:
      'This page needs the whole link that you were given. A bookmark works only on the device where the link was opened.',
    read() {
      const hash = location.hash.slice(1);
      const tokens = readTokens();
      if (hash === '' || hash.startsWith(namePrefix)) return tokens.get(hash) ?? '';
      const name = [...tokens].find(([, token]) => token === hash)?.[0] ?? createName();
      if (storeTokens(tokens.set(name, hash))) replaceHash(name);
      return hash;
    },
    forget() {
      const tokens = readTokens();
      if (tokens.delete(location.hash.slice(1))) storeTokens(tokens);
    },
  };
}
