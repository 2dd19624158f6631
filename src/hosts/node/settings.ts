/** One environment variable: how it is read, and how the README tells it. */
interface Variable<T> {
  fallback: T;
  unit: string;
  meaning: string;
  read(text: string): T;
}

function toWhole(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

function toOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash) {
    throw new Error('must be an http or https origin without a path, such as https://careers.example');
  }
  return url.origin;
}

function toContact(text: string): string {
  if (!/^(mailto:|https:|tel:)\S+$/.test(text)) throw new Error('must be a mailto:, https: or tel: address');
  return text;
}

const list = (text: string) =>
  text.split(',').flatMap((part) => (part.trim() ? [toOrigin(part.trim())] : []));

function toFlag(text: string): boolean {
  if (text !== '1' && text !== '0') throw new Error('must be 1 or 0');
  return text === '1';
}

const textOf = (text: string) => text;

/** Every environment variable that the Node host reads. */
export const variables = {
  PORT: {
    fallback: 4321,
    unit: 'TCP port',
    meaning: 'Port to listen on; 0 picks a free one.',
    read: toWhole(0, 65_535),
  },
  HOST: {
    fallback: '',
    unit: 'address',
    meaning: 'Address to listen on; empty listens on all.',
    read: textOf,
  },
  BASE_URL: {
    fallback: '',
    unit: 'origin',
    meaning: 'Published origin; empty is http://localhost:PORT.',
    read: toOrigin,
  },
  DATA_DIR: { fallback: '.data', unit: 'folder', meaning: 'Where workspaces.sqlite is kept.', read: textOf },
  CONTACT: {
    fallback: '',
    unit: 'address',
    meaning: 'mailto:, https: or tel: for security reports; empty publishes no security.txt.',
    read: toContact,
  },
  ALLOWED_ORIGINS: {
    fallback: [] as string[],
    unit: 'origins, comma separated',
    meaning: 'Origins and hosts that may call /mcp beside BASE_URL and loopback.',
    read: list,
  },
  DECLARE_TEST_SUITE: {
    fallback: false,
    unit: '1 or 0',
    meaning: 'Whether the card declares the executable suite; judges that cannot run one fail a declaration.',
    read: toFlag,
  },
  RETENTION_SECONDS: {
    fallback: 86_400,
    unit: 'seconds',
    meaning: 'How long a workspace lives after its last write.',
    read: toWhole(1, 31_536_000),
  },
  RECORD_CEILING: {
    fallback: 1000,
    unit: 'records',
    meaning: 'Records that a workspace may hold.',
    read: toWhole(1, 1_000_000),
  },
} satisfies Record<
  string,
  Variable<never> | Variable<string> | Variable<number> | Variable<string[]> | Variable<boolean>
>;

export type NodeSettings = { [N in keyof typeof variables]: (typeof variables)[N]['fallback'] };

/** Reads the environment. Throws with every variable that is not as it must be; an empty one is not set. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): NodeSettings {
  const problems: string[] = [];
  const entries = Object.entries(variables).map(([name, { fallback, read }]) => {
    const text = env[name]?.trim();
    if (!text) return [name, fallback];
    try {
      return [name, read(text)];
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}.`);
      return [name, fallback];
    }
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return Object.fromEntries(entries);
}
