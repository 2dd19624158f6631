import { resolve } from 'node:path';
import * as v from 'valibot';
import { databaseName } from '../../stores/data-dir.ts';
import { parseStoreUrl } from '../../stores/store-url.ts';
import { hideLogin } from './hide-login.ts';
import { Environment, type NodeSettings } from './settings.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the address of a store without its login. */
function showAddress(url: string): string {
  try {
    parseStoreUrl(url);
    return hideLogin(url, '//');
  } catch {
    // In an invalid address the login can be anywhere.
    return '(not shown)';
  }
}

/** Returns the value of a setting without secrets. Hides a login in every address, also if none is allowed there. */
function showValue(name: string, value: string): string {
  if (name === 'SIGNING_KEY' || name === 'OPERATOR_TOKEN') return '(set, not shown)';
  if (name === 'STORE_URL') return showAddress(value);
  const words = value.split(/([\s,])/);
  return words.map((word) => hideLogin(word, '//')).join('');
}

/** A setting: its value without secrets, and whether it differs from its default. */
interface ShownSetting {
  name: string;
  value: string;
  isChanged: boolean;
}

/** Lists the settings in the order of the guide. An empty variable counts as not set. */
export function listSettings(env: Variables): ShownSetting[] {
  return Object.entries(Environment.entries).map(([name, variable]) => {
    const fallback = String(v.getDefault(variable as v.GenericSchema) ?? '');
    const sent = env[name]?.trim() || fallback;
    return { name, value: sent && showValue(name, sent), isChanged: sent !== fallback };
  });
}

/** Returns the settings that differ from their defaults, by name, without secrets. */
export const pickChangedSettings = (env: Variables): Record<string, string> =>
  Object.fromEntries(
    listSettings(env).flatMap(({ name, value, isChanged }) => (isChanged ? [[name, value]] : [])),
  );

/** Names the store: the address of its servers without a login, or its file. */
export const describeStore = ({ STORE_URL, DATA_DIR }: Pick<NodeSettings, 'STORE_URL' | 'DATA_DIR'>) =>
  STORE_URL ? showAddress(STORE_URL) : resolve(DATA_DIR, databaseName);
