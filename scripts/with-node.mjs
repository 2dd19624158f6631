/**
 * Runs a script on the Node that the project brings: `node scripts/with-node.mjs FILE [ARGUMENT …]`. This file is
 * plain JavaScript, so that any Node can run it.
 */
import { existsSync } from 'node:fs';
import { runOnNode } from './run-on-node.mjs';

const script = process.argv.slice(2).find((argument) => !argument.startsWith('-'));
if (script === undefined || !existsSync(script)) {
  console.error(
    script === undefined
      ? 'Name a script: node scripts/with-node.mjs FILE [ARGUMENT ...]'
      : `There is no file ${script}. Run this in the folder of the project, after npm ci.`,
  );
  process.exit(2);
}
const isHost = process.argv.some((argument) => argument.endsWith('start.ts'));
runOnNode(process.argv.slice(2), { hasChannel: isHost });
