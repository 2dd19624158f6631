import { type Call, headerOf } from '../../core/call.ts';
import type { Settings } from '../../core/service.ts';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

function toUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/**
 * Guards against DNS rebinding (MCP, Streamable HTTP, security): Host, and Origin where there is one, must
 * be loopback on any port, the published address, or one that the operator allows.
 */
export function isAllowedOrigin(call: Call, { baseUrl, allowedOrigins }: Settings): boolean {
  const host = headerOf(call, 'host');
  const origin = headerOf(call, 'origin');
  if (origin === undefined && (host === undefined || loopback.test(host.replace(/:\d+$/, '')))) return true;
  const known = [baseUrl, ...allowedOrigins].flatMap((text) => toUrl(text) ?? []);
  const isOurs = (url: URL | undefined, part: 'hostname' | 'origin') =>
    url !== undefined && (loopback.test(url.hostname) || known.some((one) => one[part] === url[part]));
  const hostPasses = host === undefined || isOurs(toUrl(`http://${host}`), 'hostname');
  return hostPasses && (origin === undefined || isOurs(toUrl(origin), 'origin'));
}
