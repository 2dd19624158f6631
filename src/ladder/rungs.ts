import { preview, type Service } from '../kernel/service.ts';
import type { Rungs } from '../pricing/offer.ts';

const isAddress = (host: string) => host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host);

/** Why no passkey can be made at an origin; undefined where it can (WebAuthn level 3, section 5.1.3: its host is the relying party). */
function toNoPasskeys(baseUrl: string): string | undefined {
  const { protocol, hostname } = new URL(baseUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isAddress(hostname))
    return 'No claim is taken here: passkeys need a host name, and this service is at an address.';
  if (protocol === 'https:' || isLocal) return undefined;
  return 'No claim is taken here: passkeys need https, and this service is published without.';
}

/** Which rungs are live here. A service that is being built tells what a host has unless its operator decides otherwise. */
export function toRungs({ settings, signer }: Pick<Service, 'settings' | 'signer'>): Rungs {
  const { live, ladder, baseUrl } = settings;
  const reason = signer && 'reason' in signer ? signer.reason : undefined;
  const free = live || preview;
  const off = ladder ? undefined : 'The operator of this service takes neither work nor claims.';
  const work = free === true ? (reason ?? off ?? true) : free;
  return { free, work, claim: work === true ? (toNoPasskeys(baseUrl) ?? true) : work };
}
