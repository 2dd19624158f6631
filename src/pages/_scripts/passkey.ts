import { startAuthentication, startRegistration } from '@simplewebauthn/browser';

type CreateOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];
type GetOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** What went wrong between the person and their passkey, in words. */
function explainPasskeyError(error: unknown): string {
  const { name, message } = error as Error;
  if (name === 'NotAllowedError')
    return 'No passkey was used: it was stopped, or took too long. Nothing has changed.';
  if (name === 'InvalidStateError')
    return 'This device has a passkey for this already: use the one that you have.';
  if (name === 'SecurityError') return 'This browser lets no passkey be used at this address.';
  return `The passkey could not be used: ${message}`;
}

async function attempt<T>(run: () => Promise<T>): Promise<T> {
  if (!('PublicKeyCredential' in globalThis))
    throw new Error('This browser knows no passkeys. Try another one.');
  try {
    return await run();
  } catch (error) {
    throw new Error(explainPasskeyError(error));
  }
}

/** Makes a passkey; answers what the service takes. Rejects with words for the person. */
export const makePasskey = (optionsJSON: CreateOptions) => attempt(() => startRegistration({ optionsJSON }));

/** Shows a passkey that the person has. Rejects with words for the person. */
export const showPasskey = (optionsJSON: GetOptions) => attempt(() => startAuthentication({ optionsJSON }));
