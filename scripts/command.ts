/** What every script does with its command line and its mistakes. */
import type { ParseArgsConfig, parseArgs } from 'node:util';
import { CommandLineError, parseCommandLine } from '../src/hosts/node/command-line.ts';

/** A mistake of the person who runs a script, such as a missing file. Its message is printed without a stack trace. */
export class Mistake extends Error {}

/** A command line that is not as the usage of the script says. The usage is printed as well. */
export class WrongCall extends Mistake {}

let usageOfScript = '';

const isWrongCall = (error: unknown): boolean =>
  error instanceof WrongCall || error instanceof CommandLineError;

/** Returns the text to print for an error. The stack is in it only if the script itself is at fault. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isWrongCall(error)) return `${error.message}\n\n${usageOfScript}`;
  const { cause, code } = error as NodeJS.ErrnoException;
  // The message of fetch has no reason.
  if (error.message === 'fetch failed' && cause instanceof Error)
    return `The service does not answer: ${cause.message || (cause as NodeJS.ErrnoException).code}`;
  // An error of the system, such as ENOENT, names the file.
  const isPlain = error instanceof Mistake || /^E[A-Z]+$/.test(code ?? '');
  return isPlain ? error.message : (error.stack ?? error.message);
}

/** Prints an error, and ends the process: with 2 if the script was called wrongly, otherwise with 1. */
function fail(error: unknown): never {
  console.error(explain(error));
  process.exit(isWrongCall(error) ? 2 : 1);
}

/**
 * Reads the command line of a script. Prints the usage for `--help` or `-h`, and ends the process with 0. After an unknown
 * option it ends the process with 2. Errors of the caller that are thrown later are printed without a stack trace.
 */
export function readCommand<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  usageOfScript = usage;
  process.on('uncaughtException', fail);
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseCommandLine(config);
  } catch (error) {
    return fail(error);
  }
}

/** Returns the only file that a command line names. Throws a WrongCall if it names none, or more. */
export function readFileName([file, ...more]: readonly string[]): string {
  if (file === undefined || more.length > 0) throw new WrongCall('Name one file.');
  return file;
}

/** Formats an argument so that it can be pasted into a shell. */
export const quoteArgument = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Returns the origin of a service that a command line names. Without a scheme it is http, as for curl. Throws a WrongCall
 * that says what to write.
 */
export function readOrigin(address: string | undefined): string {
  if (address === undefined) throw new WrongCall('Say which service, such as http://localhost:4321.');
  const isHost = /^(?:localhost$|[^/]+[.:])/.test(address);
  const url = URL.parse(isHost && !address.includes('://') ? `http://${address}` : address);
  if (url && /^https?:$/.test(url.protocol)) return url.origin;
  throw new WrongCall(`${address} is no address of a service. Write one such as http://localhost:4321.`);
}

/** Fetches JSON from a service. Throws a Mistake if it does not answer, or not with JSON. */
export async function fetchJson(url: string, init?: RequestInit) {
  const response = await fetch(url, init).catch(({ cause, message }: Error) => {
    throw new Mistake(
      `${new URL(url).origin} does not answer: ${(cause as Error | undefined)?.message || message}`,
    );
  });
  const text = await response.text();
  try {
    return { response, body: JSON.parse(text) };
  } catch {
    throw new Mistake(`${url} answered ${response.status}, and no JSON. Is it this service?`);
  }
}

/**
 * Runs work whose errors all say what to do, such as that of the stores. Throws each of them as a Mistake, except those
 * that only a fault of the code explains.
 */
export async function withMistakes<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isFault = error instanceof TypeError || error instanceof RangeError;
    throw isFault || error instanceof Mistake
      ? error
      : new Mistake((error as Error).message, { cause: error });
  }
}
