/** Runs a step, and prints how long it took. */
export async function step<T>(name: string, run: () => T): Promise<Awaited<T>> {
  const start = performance.now();
  const result = await run();
  console.log(`${name.padEnd(40)}${((performance.now() - start) / 1000).toFixed(2)} s`);
  return result;
}
