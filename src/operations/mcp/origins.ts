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
  const known = [baseUrl, ...allowedOrigins].flatMap((origin) => toUrl(origin) ?? []);
  const host = headerOf(call, 'host');
  if (host !== undefined) {
    const url = toUrl(`http://${host}`);
    if (!url || !(loopback.test(url.hostname) || known.some((one) => one.hostname === url.hostname)))
      return false;
  }
  const origin = headerOf(call, 'origin');
  if (origin === undefined) return true;
  const url = toUrl(origin);
  return url !== undefined && (loopback.test(url.hostname) || known.some((one) => one.origin === url.origin));
}
