type Tally = Record<string, number>;

/** Does the runs in chunks, each with the next seed, and returns the sum of their tallies. */
export async function sumChunks(
  what: string,
  { runs, chunk, first }: { runs: number; chunk: number; first: number },
  run: (count: number, seed: number) => Promise<Tally>,
): Promise<Tally> {
  const sum: Tally = {};
  for (let done = 0; done < runs; done += chunk) {
    const seed = first + done / chunk;
    const tally = await run(Math.min(chunk, runs - done), seed);
    for (const [name, times] of Object.entries(tally)) sum[name] = (sum[name] ?? 0) + times;
    console.log(`  ${what}, seed ${seed}: ${Math.min(done + chunk, runs)} of ${runs}`);
  }
  return sum;
}
