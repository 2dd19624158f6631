import { type ParseArgsConfig, parseArgs } from 'node:util';

/** A mistake in a command line. Its message says what is wrong, in one sentence. */
export class CommandLineError extends Error {}

/** Hides what stands before an @ in the argument that a message of Node repeats, because it may be a login. */
const hideLogin = (message: string) => message.replace(/'.*@/s, "'***@");

/** Parses a command line. Throws a CommandLineError if it has an option that is not in `config`. */
export function parseCommandLine<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node adds how to write a positional argument that begins with a dash.
    const [sentence = ''] = hideLogin((error as Error).message).split('. ');
    throw new CommandLineError(`${sentence.replace(/\.$/, '')}.`);
  }
}
