import { createHash, timingSafeEqual } from 'node:crypto';

const hash = (text: string) => createHash('sha256').update(text).digest();

/** Creates a check of the Authorization field of a request. How long it takes says nothing about the token. */
export function createTokenCheck(token: string): (authorization: string | undefined) => boolean {
  const expected = hash(token);
  return (authorization = '') => {
    const [, sent = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    return timingSafeEqual(hash(sent), expected);
  };
}
