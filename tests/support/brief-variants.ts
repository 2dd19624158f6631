import { solutions } from './brief-solutions.ts';
import { openBriefs, type Step, startBrief } from './briefs.ts';

/** A way through a brief, and whether it is good. */
interface Way {
  name: string;
  steps: readonly Step[] | undefined;
  passes: boolean;
}

/**
 * Takes each way through a brief in one variant: its solution over HTTP and MCP, another good way, and that of an agent
 * that ignores what people answer. Returns what was graded wrongly.
 */
export async function listWrongGrades(id: string, variant: number): Promise<string[]> {
  const world = openBriefs();
  const { steps, otherSteps, careless } = solutions[id]!;
  const ways: Way[] = [
    { name: 'the solution', steps, passes: true },
    { name: 'another good way', steps: otherSteps, passes: true },
    { name: 'a careless agent', steps: careless, passes: false },
  ];
  const wrong: string[] = [];
  for (const { name, steps: taken, passes } of ways) {
    if (!taken) continue;
    for (const door of name === 'the solution' ? (['http', 'mcp'] as const) : (['http'] as const)) {
      const started = await startBrief(world, id, variant);
      await started.take(taken, door);
      const { passed, checks } = await started.grade();
      if (passed !== passes)
        wrong.push(`${id}, variant ${variant}, ${name} over ${door}: ${JSON.stringify(checks)}`);
    }
  }
  return wrong;
}
