#!/usr/bin/env node
/** The command of the package: starts its host on the Node that npm installs with it. It has the options of the host. */
import { fileURLToPath } from 'node:url';
import { runOnNode } from './run-on-node.mjs';

// The same options as npm start.
const memory = ['--max-semi-space-size=8', '--heap-growing-percent=30'];
const host = fileURLToPath(new URL('serve-host.mjs', import.meta.url));
runOnNode([...memory, host, ...process.argv.slice(2)], { hasChannel: true });
