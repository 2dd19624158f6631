import { makeCore } from './support/core.ts';

const core = makeCore();
for (const p of ['/openapi.json', '/api.md', '/llms.txt']) {
  const r = await core.ask('GET', p);
  console.log(p, r.status, Buffer.byteLength(r.text));
}
process.exit(0);
