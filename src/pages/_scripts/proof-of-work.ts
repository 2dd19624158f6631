type Words = [number, number, number, number, number, number, number, number];

const rounds = 64;

/** The first 32 bits of the fractional parts of the square (or cube) roots of the first primes (FIPS 180-4). */
function toConstants(count: number, root: 2 | 3): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number += 1) {
    let isPrime = true;
    for (let part = 2; part * part <= number; part += 1) if (number % part === 0) isPrime = false;
    const power = root === 2 ? Math.sqrt(number) : Math.cbrt(number);
    if (isPrime) found.push(((power - Math.floor(power)) * 2 ** 32) | 0);
  }
  return found;
}

const start = Int32Array.from(toConstants(8, 2));
const constants = Int32Array.from(toConstants(rounds, 3));
const words = new Int32Array(rounds);
const turn = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

/** Takes one block of 64 bytes from `at` into the state (FIPS 180-4, section 6.2.2). */
function takeBlock(state: Int32Array, bytes: Uint8Array, at: number): void {
  for (let i = 0; i < 16; i += 1) {
    const byte = at + i * 4;
    words[i] = (bytes[byte]! << 24) | (bytes[byte + 1]! << 16) | (bytes[byte + 2]! << 8) | bytes[byte + 3]!;
  }
  for (let i = 16; i < rounds; i += 1) {
    const [near, far] = [words[i - 2]!, words[i - 15]!];
    const low = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
    const high = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
    words[i] = (words[i - 16]! + low + words[i - 7]! + high) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Words;
  for (let i = 0; i < rounds; i += 1) {
    const mixed = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g));
    const one = (h + mixed + constants[i]! + words[i]!) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index]! += word;
}

/**
 * A function that tells the SHA-256 of `prefix` and a text after it, as eight words of 32 bits, which it overwrites at
 * the next call. The whole blocks of the prefix are taken once. At once and not through a promise, as a search for a
 * proof of work needs: `crypto.subtle` is several times slower for texts this short.
 */
function createSha256(prefix: string): (text: string) => Int32Array {
  const head = new TextEncoder().encode(prefix);
  const whole = head.length - (head.length % 64);
  const begun = start.slice();
  for (let at = 0; at < whole; at += 64) takeBlock(begun, head, at);
  const rest = head.subarray(whole);
  const state = new Int32Array(8);
  return (text) => {
    const tail = new TextEncoder().encode(text);
    const length = rest.length + tail.length;
    const bytes = new Uint8Array(Math.ceil((length + 9) / 64) * 64);
    bytes.set(rest);
    bytes.set(tail, rest.length);
    bytes[length] = 0x80;
    const bits = (head.length + tail.length) * 8;
    new DataView(bytes.buffer).setUint32(bytes.length - 4, bits);
    state.set(begun);
    for (let at = 0; at < bytes.length; at += 64) takeBlock(state, bytes, at);
    return state;
  };
}

/** Whether a digest, as words of 32 bits, begins with so many zero bits. */
function hasZeroBits(digest: Int32Array, bits: number): boolean {
  const whole = bits >>> 5;
  for (let at = 0; at < whole; at += 1) if (digest[at] !== 0) return false;
  return whole >= digest.length || bits % 32 === 0 || digest[whole]! >>> (32 - (bits % 32)) === 0;
}

/**
 * Makes a function that tries `count` nonces from `from` on, and answers the first with which the digest of `salt.nonce`
 * has the zero bits; undefined where none has.
 */
export function createSearch(salt: string, bits: number) {
  const digest = createSha256(`${salt}.`);
  return (from: number, count: number): string | undefined => {
    for (let nonce = from; nonce < from + count; nonce += 1) {
      const text = nonce.toString(36);
      if (hasZeroBits(digest(text), bits)) return text;
    }
    return undefined;
  };
}
