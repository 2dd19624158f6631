import type { Page } from 'playwright-core';
import { asAgent, fillByMcp } from './workspace-page.ts';

/** Gives a page a device that stores passkeys, with or without a person present. */
export async function giveDevice(page: Page, isUserVerified = true): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
}

/** Makes a workspace of an agent that asks its person to claim it. */
export async function offerClaim(origin: string) {
  const filled = await fillByMcp(origin);
  const agent = (method: string, path: string, body?: object) =>
    asAgent(origin, filled.workspace, method, path, body);
  const { body } = await agent('POST', '/workspace/claim', {});
  const { pathname, hash } = new URL(body.claim.url);
  return {
    filled,
    agent,
    address: pathname + hash,
    token: hash.slice(1),
    userCode: body.claim.userCode as string,
  };
}
