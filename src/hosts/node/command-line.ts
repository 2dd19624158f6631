import { type ParseArgsConfig, parseArgs } from 'node:util';
import { hideLogin } from './hide-login.ts';

/** A mistake in a command line. Its message says what is wrong, in one sentence. */
export class CommandLineError extends Error {}

/** Parses a command line. Throws a CommandLineError if it has an option that is not in `config`. */
export function parseCommandLine<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node repeats the argument in quotes, and adds how to write a positional one that begins with a dash.
    const [sentence = ''] = hideLogin((error as Error).message, "'").split('. ');
    throw new CommandLineError(`${sentence.replace(/\.$/, '')}.`);
  }
}
