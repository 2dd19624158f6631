import { CommandLineError, parseCommandLine } from './command-line.ts';
import { Environment } from './settings.ts';

/** What `main.mjs --help` prints. */
export const hostUsage = `Usage: npm start                start the service (or: node dist/host/main.mjs)
       npm start -- --check     print the settings and what is wrong with them, then exit
       npm start -- --version   print the version and the commit, then exit
       npm start -- --help      print this, then exit

Settings are environment variables: PORT=8080 npm start
The guide content/guides/settings.md has all of them. --check exits with 1 if the service would not start.`;

type HostCommand = 'start' | 'check' | 'version' | 'help';

/** Returns the setting that an option names, such as BASE_URL for --base-url. */
function findSetting(argument: string): string | undefined {
  const name = argument
    .replace(/^--?|=.*$/gs, '')
    .replaceAll('-', '_')
    .toUpperCase();
  return Object.keys(Environment.entries).find((setting) => setting === name);
}

/** Reads the command line of the host. Throws a CommandLineError. */
export function readHostCommand(args: string[]): HostCommand {
  const setting = args.map(findSetting).find((name) => name !== undefined);
  if (setting !== undefined)
    throw new CommandLineError(
      `${setting} is a setting, not an option. Set it in the environment: ${setting}=VALUE npm start`,
    );
  const flag = { type: 'boolean' } as const;
  const options = { help: { ...flag, short: 'h' }, version: { ...flag, short: 'v' }, check: flag } as const;
  const { values } = parseCommandLine({ args, options });
  if (values.help) return 'help';
  if (values.version) return 'version';
  return values.check ? 'check' : 'start';
}
