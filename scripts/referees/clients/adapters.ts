import { join } from 'node:path';
import type { Json } from '../verdict.ts';
import { startModel } from './gemini.ts';
import { connectOfficial, type OfficialParts, openOfficial, toDesk } from './official.ts';
import { type Desk, toEnvelope } from './story.ts';

/** Loads a package of this folder. Its types may not be installed when this file is checked. */
const load = (name: string): Promise<Json> => import(name);

async function loadSdk(alias: string): Promise<OfficialParts> {
  const [client, transport] = await Promise.all(
    ['index.js', 'streamableHttp.js'].map((file) => load(`${alias}/client/${file}`)),
  );
  return { ...client, ...transport };
}

const openSdk = (alias: string) => async (address: string) => openOfficial(await loadSdk(alias), address);

const openClient = (alias: string, mode: string) => async (address: string) =>
  openOfficial(await load(alias), address, { versionNegotiation: { mode } });

/** Connects the oldest SDK, which has only stdio, through a version of the bridge that Claude Desktop uses. */
const openOverBridge = (bridge: string) => async (address: string) => {
  const [{ Client }, { StdioClientTransport }] = await Promise.all([
    load('sdk-1.0/client/index.js'),
    load('sdk-1.0/client/stdio.js'),
  ]);
  const client = new Client({ name: 'referee', version: '1.0.0' }, { capabilities: {} });
  const program = join(import.meta.dirname, 'node_modules', bridge, 'dist', 'proxy.js');
  const env = { ...process.env, MCP_REMOTE_CONFIG_DIR: process.env.REFEREE_FOLDER! };
  const stdio = { command: process.execPath, args: [program, address], env, stderr: 'ignore' };
  await client.connect(new StdioClientTransport(stdio));
  return toDesk(client);
};

/** Connects the MCP client of the AI SDK. */
const openAiSdk =
  (alias: string) =>
  async (url: string): Promise<Desk> => {
    const { createMCPClient } = await load(alias);
    const client = await createMCPClient({ transport: { type: 'http', url } });
    const tools = await client.tools();
    return {
      tools: Object.keys(tools),
      findings: [],
      call: async (name, args) =>
        toEnvelope(await tools[name].execute(args, { toolCallId: '1', messages: [] })),
      close: () => client.close(),
    };
  };

async function openLangchain(url: string): Promise<Desk> {
  const { MultiServerMCPClient } = await load('@langchain/mcp-adapters');
  const client = new MultiServerMCPClient({ mcpServers: { desk: { transport: 'http', url } } });
  const tools: Json[] = await client.getTools();
  return {
    tools: tools.map(({ name }) => name),
    findings: [],
    async call(name, args) {
      const content = await tools.find((tool) => tool.name === name).invoke(args);
      return JSON.parse(typeof content === 'string' ? content : [content].flat()[0].text);
    },
    close: () => client.close(),
  };
}

/** Returns arguments with null for each property that is not given and that `listNames` returns for its schema. */
function fillNulls(schema: Json, given: Json, listNames: (schema: Json) => string[]): Json {
  if (Array.isArray(given)) return given.map((item) => fillNulls(schema.items ?? {}, item, listNames));
  if (typeof given !== 'object' || given === null || !schema.properties) return given;
  const nulls = Object.fromEntries(listNames(schema).map((name) => [name, null]));
  const own = Object.entries(given).map(([name, value]) => {
    const { anyOf, ...property } = schema.properties[name] ?? {};
    return [name, fillNulls(anyOf?.[0] ?? property, value, listNames)];
  });
  return { ...nulls, ...Object.fromEntries(own) };
}

/** Connects a client whose model sends null for every property that it does not set, at every depth. */
async function openWithNulls(address: string): Promise<Desk> {
  const client = await connectOfficial(await loadSdk('sdk-1.32'), address);
  const { tools } = await client.listTools();
  const desk = await toDesk(client);
  const call: Desk['call'] = (name, args) => {
    const { inputSchema } = tools.find((tool: Json) => tool.name === name);
    return desk.call(
      name,
      fillNulls(inputSchema, args, ({ properties }) => Object.keys(properties)),
    );
  };
  return { ...desk, call };
}

/** Connects OpenAI's agents SDK, with or without the strict form of each schema. */
const openAgents =
  (alias: string, isStrict: boolean) =>
  async (url: string): Promise<Desk> => {
    const { MCPServerStreamableHttp, getAllMcpTools, RunContext } = await load(alias);
    const server = new MCPServerStreamableHttp({ url, name: 'desk' });
    await server.connect();
    const runContext = new RunContext({});
    const options = { mcpServers: [server], convertSchemasToStrict: isStrict, runContext };
    const tools: Json[] = await getAllMcpTools(options);
    return {
      tools: tools.map(({ name }) => name),
      findings: tools
        .filter(
          ({ strict, parameters }) => isStrict && !strict && Object.keys(parameters.properties).length > 0,
        )
        .map(({ name }) => ({ rule: 'strict', where: name, message: 'has no strict form of its schema' })),
      async call(name, args) {
        const tool = tools.find((candidate) => candidate.name === name);
        // A strict schema requires each of its properties.
        const sent = tool.strict ? fillNulls(tool.parameters, args, ({ required }) => required ?? []) : args;
        const content = await tool.invoke(runContext, JSON.stringify(sent));
        return JSON.parse(typeof content === 'string' ? content : [content].flat()[0].text);
      },
      close: () => server.close(),
    };
  };

/** Connects Google's SDK, which calls the tools that its model requests. */
const openGemini =
  (alias: string) =>
  async (address: string): Promise<Desk> => {
    const [{ GoogleGenAI, mcpToTool }, parts] = await Promise.all([load(alias), loadSdk('sdk-1.24')]);
    const client = await connectOfficial(parts, address);
    const model = await startModel();
    const ai = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: model.baseUrl } });
    const config = { tools: [mcpToTool(client)] };
    async function call(name: string, args: Record<string, unknown>): Promise<Json> {
      model.state.next = { name, args };
      await ai.models.generateContent({ model: 'gemini', contents: 'Go on.', config });
      const { result } = model.state;
      return toEnvelope(result.error ?? result);
    }
    // The tools are sent with the first prompt.
    await call('getPricing', {});
    return {
      tools: model.state.tools.map(({ name }) => name),
      findings: model.listFindings(alias),
      call,
      async close() {
        model.stop();
        await client.close();
      },
    };
  };

/** The clients by name. Each function connects to the address of /mcp. */
export const clients: Record<string, (address: string) => Promise<Desk>> = {
  'sdk-1.10': openSdk('sdk-1.10'),
  'sdk-1.12': openSdk('sdk-1.12'),
  'sdk-1.17': openSdk('sdk-1.17'),
  'sdk-1.24': openSdk('sdk-1.24'),
  'sdk-1.32': openSdk('sdk-1.32'),
  'client-2.0-auto': openClient('client-2.0', 'auto'),
  'client-2.0-legacy': openClient('client-2.0', 'legacy'),
  'client-2.4-auto': openClient('client-2.4', 'auto'),
  'client-2.4-legacy': openClient('client-2.4', 'legacy'),
  'mcp-remote-0.1': openOverBridge('mcp-remote-0.1'),
  'mcp-remote': openOverBridge('mcp-remote'),
  'sdk-1.32-nulls': openWithNulls,
  langchain: openLangchain,
  'ai-sdk-1': openAiSdk('ai-mcp-1'),
  'ai-sdk-2': openAiSdk('@ai-sdk/mcp'),
  'openai-agents': openAgents('@openai/agents', false),
  'openai-agents-strict': openAgents('@openai/agents', true),
  'openai-agents-0.4-strict': openAgents('openai-agents-0.4', true),
  'gemini-1': openGemini('genai-1'),
  'gemini-3': openGemini('@google/genai'),
};
