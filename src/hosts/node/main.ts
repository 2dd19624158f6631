/**
 * The file that starts the host. It imports nothing before it has checked the version of Node: an older one fails at
 * the first import of `node:sqlite`, with a stack trace in place of a reason.
 */
const leastNode = 26;
const { node } = process.versions;

if (Number(node.split('.')[0]) < leastNode) {
  console.error(
    `Node ${node} is too old: this needs Node ${leastNode}. In the folder of the project, npm ci && npm start brings its own.`,
  );
  process.exitCode = 1;
} else {
  const { run } = await import('./run.ts');
  await run(process.argv.slice(2));
}

export {};
