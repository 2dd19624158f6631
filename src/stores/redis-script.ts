import { createHash } from 'node:crypto';

/** A Lua script and the name the server knows it by (EVALSHA). */
export interface Script {
  text: string;
  sha: string;
  /** Whether what it writes is acknowledged to a caller, so that it must not be lost. */
  isKept: boolean;
}

const toSha = (text: string) => createHash('sha1').update(text).digest('hex');

export const toScript = (text: string): Script => ({ text, sha: toSha(text), isKept: false });

export const toKeepingScript = (text: string): Script => ({ ...toScript(text), isKept: true });
