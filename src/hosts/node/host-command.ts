import { homedir } from 'node:os';
import { join } from 'node:path';
import { CommandLineError, parseCommandLine } from './command-line.ts';
import { Environment } from './settings.ts';

/** What `main.mjs --help` prints. */
export const hostUsage = `Usage: npm start                start the service (or: node dist/host/main.mjs)
       npm start -- --stdio     speak MCP over stdin and stdout; serve pages only if PORT or LISTEN is set
       npm start -- --check     print the settings and what is wrong with them, then exit
       npm start -- --version   print the version and the commit, then exit
       npm start -- --help      print this, then exit

--stdio --tools=core lists only the tools that place a person. With --stdio, DATA_DIR is by default a folder
in your home, because the client chooses where it starts. A package has the same options: npx -y ./PACKAGE.tgz --stdio
Settings are environment variables: PORT=8080 npm start
The guide content/guides/settings.md has all of them. --check exits with 1 if the service would not start.`;

type Variables = Readonly<Record<string, string | undefined>>;

export interface HostCommand {
  name: 'start' | 'check' | 'version' | 'help';
  /** Whether the host speaks MCP over stdin and stdout. */
  isStdio: boolean;
  /** The list of tools over stdio: `core`, or "" for all tools. */
  tools: string;
}

/** Returns the setting that an option names, such as BASE_URL for --base-url. */
function findSetting(argument: string): string | undefined {
  const name = argument
    .replace(/^--?|=.*$/gs, '')
    .replaceAll('-', '_')
    .toUpperCase();
  return Object.keys(Environment.entries).find((setting) => setting === name);
}

function readTools(tools: string | undefined, isStdio: boolean): string {
  if (tools === undefined) return '';
  if (!isStdio)
    throw new CommandLineError('--tools goes with --stdio. Over HTTP, connect to /mcp?tools=core.');
  if (tools === 'core') return tools;
  throw new CommandLineError(
    `Unknown list of tools: ${tools}. Write --tools=core, or leave it out for all tools.`,
  );
}

/** Reads the command line of the host. Throws a CommandLineError. */
export function readHostCommand(args: string[]): HostCommand {
  const setting = args.map(findSetting).find((name) => name !== undefined);
  if (setting !== undefined)
    throw new CommandLineError(
      `${setting} is a setting, not an option. Set it in the environment: ${setting}=VALUE npm start`,
    );
  const flag = { type: 'boolean' } as const;
  const { values } = parseCommandLine({
    args,
    options: {
      help: { ...flag, short: 'h' },
      version: { ...flag, short: 'v' },
      check: flag,
      stdio: flag,
      tools: { type: 'string' },
    } as const,
  });
  const isStdio = values.stdio === true;
  const tools = readTools(values.tools, isStdio);
  const name = values.help ? 'help' : values.version ? 'version' : values.check ? 'check' : 'start';
  return { name, isStdio, tools };
}

/**
 * Returns the variables with the defaults of --stdio. The client starts the process in a folder of its own choice,
 * often one that cannot be written to. HOST is loopback, because only the person at this machine reads the pages.
 */
export function addStdioDefaults(env: Variables): Variables {
  return {
    ...env,
    DATA_DIR: env.DATA_DIR?.trim() || join(homedir(), '.careers-placement-service'),
    HOST: env.HOST?.trim() || '127.0.0.1',
  };
}

/** Whether a setting says where to listen. With --stdio, a host listens for HTTP only then. */
export const hasListenSetting = ({ PORT, LISTEN }: Variables): boolean =>
  Boolean(PORT?.trim()) || Boolean(LISTEN?.trim());
