/** Tells the story of one client to a service: `run.ts CLIENT ADDRESS`. Prints its findings as JSON, in the last line. */
import { clients } from './adapters.ts';
import { tellStory } from './story.ts';

const [name = '', address = ''] = process.argv.slice(2);
const desk = await clients[name]!(address);
const findings = await tellStory(name, desk);
await desk.close();
console.log(`\n${JSON.stringify(findings)}`);
// Some clients keep a connection open.
process.exit();
