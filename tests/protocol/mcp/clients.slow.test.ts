import * as client from '@modelcontextprotocol/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type OfficialParts, openOfficial } from '../../../scripts/referees/clients/official.ts';
import { tellStory } from '../../../scripts/referees/clients/story.ts';
import { requireOfReferees } from '../../../scripts/referees/install.ts';
import { useServer } from '../../support/server.ts';

const clients = suite('official clients create, change, find and delete a record');
const { origin } = await useServer();
const sdk: OfficialParts = {
  ...requireOfReferees('@modelcontextprotocol/sdk/client/index.js'),
  ...requireOfReferees('@modelcontextprotocol/sdk/client/streamableHttp.js'),
};

/** Each client with the options of its versions. `npm run referees -- clients` tests more of them. */
const each: Record<string, [OfficialParts, object]> = {
  'version 1': [sdk, {}],
  'version 2, newest protocol': [client, { versionNegotiation: { mode: 'auto' } }],
  'version 2, with a handshake': [client, { versionNegotiation: { mode: 'legacy' } }],
};

for (const [name, [parts, options]] of Object.entries(each))
  clients(name, async () => {
    const desk = await openOfficial(parts, `${origin}/mcp`, options);
    const findings = await tellStory(name, desk);
    await desk.close();
    assert.equal(findings, []);
  });

clients.run();
