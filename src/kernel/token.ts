import * as v from 'valibot';
import type { Capability } from './operation.ts';
import type { RefusalKind } from './refusal.ts';
import { say, Time } from './text.ts';

/** Defines a kind of token. Its argument also names its purpose. */
/* @__NO_SIDE_EFFECTS__ */
export function defineTokenKind(
  argument: string,
  prefix: string,
  hint: string,
  unknown: RefusalKind,
): Capability {
  const header = `X-${argument[0]!.toUpperCase()}${argument.slice(1)}`;
  const shape = new RegExp(`^${prefix}[0-9a-hjkmnp-tv-z]{32}$`);
  return { argument, prefix, hint, header, shape, unknown };
}

/** The reply to the issuer of a token. Only `holders` may have it, and they open `url` to do what `does` says. */
/* @__NO_SIDE_EFFECTS__ */
export const defineIssuedEntries = ({ shape }: Capability, holders: string, does: string) => ({
  token: say(v.pipe(v.string(), v.regex(shape)), `A capability: for ${holders} alone.`),
  url: say(v.pipe(v.string(), v.url()), `A page on which a person ${does}.`),
  expiresAt: say(Time, 'When the token expires.'),
});

/** An example of that reply, with the address of the `page` for people, on a given day. */
export const createIssuedExample = ({ prefix }: Capability, page: string, day: string) => ({
  token: `${prefix}${'0'.repeat(32)}`,
  url: `https://careers.example/${page}.html#${prefix}${'0'.repeat(32)}`,
  expiresAt: `${day}T00:00:00.000Z`,
});

/** The common part of the operations that the holder of a token calls. */
export const defineTokenRow = (capability: Capability) => ({
  path: `/${capability.argument}`,
  access: { capability },
});
