/** The file that starts the host. It imports nothing else before it has checked the version of Node. */
import { requireNode } from './require-node.ts';

await requireNode(async () => {
  const { run } = await import('./run.ts');
  await run(process.argv.slice(2));
});
