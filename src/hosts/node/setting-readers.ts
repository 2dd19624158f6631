import { parseStoreUrl } from '../../stores/store-url.ts';
import { toConfiguredKeys } from './private-keys.ts';

/** One environment variable: how it is read, and how the guide to operating tells it. */
export interface Variable<T> {
  fallback: T;
  unit: string;
  meaning: string;
  /** The value of a text that is not empty. Throws what it must be. */
  read(text: string): T;
}

export function toWhole(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

export function toOneOf<W extends string>(...words: W[]): (text: string) => W {
  return (text) => {
    const word = words.find((one) => one === text);
    if (word === undefined) throw new Error(`must be one of ${words.join(', ')}`);
    return word;
  };
}

function readOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return `${url.origin}/` === url.href ? url.origin : undefined;
}

export function toOrigin(text: string): string {
  const origin = readOrigin(text);
  if (!origin) {
    throw new Error('must be an http or https origin without path or login, such as https://careers.example');
  }
  return origin;
}

export function toOrigins(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter(Boolean).map((part) => {
    const origin = readOrigin(part);
    if (origin) return origin;
    throw new Error(
      `must be http or https origins without path or login, separated by commas; ${JSON.stringify(part)} is none`,
    );
  });
}

export function toContact(text: string): string {
  const isAddress = /^(mailto:[^\s@]+@[^\s@]+|tel:\+?[\d().-]+|https:\/\/\S+)$/.test(text);
  if (!isAddress || !URL.canParse(text)) {
    throw new Error('must be a mailto:, https: or tel: address, such as mailto:security@careers.example');
  }
  return text;
}

export function toFlag(text: string): boolean {
  if (text !== '1' && text !== '0') throw new Error('must be 1 or 0');
  return text === '1';
}

export function toText(text: string): string {
  return text;
}

/** What the address of a unix socket has room for, on the system that has least. */
const longestSocket = 103;

export function toSocket(text: string): string {
  const path = /^unix:(\/.*[^/])$/.exec(text)?.[1];
  if (path !== undefined && !path.includes('\0') && Buffer.byteLength(path) <= longestSocket) return text;
  throw new Error(
    `must be unix: and an absolute path of at most ${longestSocket} bytes, such as unix:/run/careers/careers.sock`,
  );
}

export function toStoreUrl(text: string): string {
  try {
    parseStoreUrl(text);
  } catch (error) {
    throw new Error(
      `must be redis://HOST:PORT, redis-cluster://HOST:PORT,HOST:PORT or redis-sentinel://HOST:PORT,HOST:PORT/MASTER-NAME, with rediss for redis where it is TLS: ${(error as Error).message}`,
    );
  }
  return text;
}

export function toSigningKey(text: string): string {
  try {
    toConfiguredKeys(text);
  } catch (error) {
    throw new Error(
      `must be Ed25519 private keys in PEM (PKCS #8, BEGIN PRIVATE KEY), or the path of a file with them: ${(error as Error).message}`,
    );
  }
  return text;
}
