import * as v from 'valibot';

/** The longest summary, in characters. */
const longestSummary = 140;

export const Summary = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(longestSummary),
  v.description(
    'What the work is and what sets it apart from related occupations, in one sentence written for this service.',
  ),
);

/** The summary of every occupation by code. */
export type Summaries = Readonly<Record<string, string>>;

/**
 * Reads content/summaries.tsv: one header line, then one code and its summary on each line. Throws with the code if a
 * summary is missing, is not valid, or belongs to no occupation.
 */
export function readSummaries(text: string, codes: Iterable<string>): Summaries {
  const lines = text.trimEnd().split('\n').slice(1);
  const rows = new Map(lines.map((line) => line.split('\t') as [string, string]));
  const summaries: Record<string, string> = {};
  for (const code of codes) {
    const { success, output } = v.safeParse(Summary, rows.get(code));
    if (!success)
      throw new Error(
        `content/summaries.tsv: ${code} must have a summary of 1 to ${longestSummary} characters`,
      );
    summaries[code] = output;
    rows.delete(code);
  }
  const [stray] = rows.keys();
  if (stray !== undefined) throw new Error(`content/summaries.tsv: ${stray} is no occupation`);
  return summaries;
}
