import { startAuthentication, startRegistration } from '@simplewebauthn/browser';

type CreateOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];
type GetOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Explains an error of a passkey in words for the person. */
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

/** Creates a passkey. Resolves with what the service takes, or rejects with a message for the person. */
export const makePasskey = (optionsJSON: CreateOptions) => attempt(() => startRegistration({ optionsJSON }));

/** Uses a passkey of the person. Resolves with what the service takes, or rejects with a message for the person. */
export const showPasskey = (optionsJSON: GetOptions) => attempt(() => startAuthentication({ optionsJSON }));
