const leastNode = 26;

/**
 * Loads and runs a program that needs this version of Node. On an older one it says so, and the process ends with 1: it
 * would fail at the first import of `node:sqlite`, with a stack trace in place of a reason.
 */
export async function requireNode(load: () => Promise<unknown>): Promise<void> {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) >= leastNode) {
    await load();
    return;
  }
  console.error(
    `Node ${node} is too old: this needs Node ${leastNode}. In the folder of the project, npm ci && npm start brings its own.`,
  );
  process.exitCode = 1;
}
