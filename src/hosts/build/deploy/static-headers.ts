import { everyAnswer, pageHeaders } from '../../../core/headers.ts';
import type { Rule } from './rules.ts';

function toBlock(address: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);
  return `${[address, ...lines].join('\n')}\n`;
}

/** Those of a page too: such hosts answer any address where nothing is with the page 404.html. */
const common = { ...everyAnswer, ...pageHeaders };

const isCommon = (name: string) => Object.hasOwn(common, name);

/**
 * The `_headers` file of static hosts (Netlify, Cloudflare Pages and others): what every answer has, then a
 * block for each file or shape of files, and for `/`, where they serve index.html. Such hosts join the values of
 * a header that two blocks name, so no two blocks that fit one file name the same header. A value with an id in it
 * is left out: few hosts can say it.
 */
export function toStaticHeaders(rules: readonly Rule[]): string {
  const files = rules.filter(({ address, file }) => address === file);
  const home = files.filter(({ file }) => file === '/index.html').map((rule) => ({ ...rule, address: '/' }));
  const blocks = [...files, ...home].map(({ address, type, headers }) => {
    const own = Object.entries(headers).filter(([name, value]) => !isCommon(name) && !value.includes('{id}'));
    return toBlock(address.replace('{id}', '*'), { 'Content-Type': type, ...Object.fromEntries(own) });
  });
  return [toBlock('/*', common), ...blocks].join('\n');
}

/** The `_redirects` file of the same hosts, which holds no rule and says why. */
export const staticRedirects = `# No rewrite of /pricing to /pricing.json and its like: a rule here cannot ask that the query be empty, and
# a file in answer to ?scope=admin or ?cursor= would be a fake success. Pages link suffixed addresses; in a
# browser the service worker answers all others; nginx.conf rewrites them where the query is empty.
`;
