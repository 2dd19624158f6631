/** A JobPosting names its vocabulary, or is in a graph. A JSON Resume does neither. */
export function findFormat(data: unknown): 'posting' | 'resume' {
  const [first] = [data].flat();
  const isLinked = typeof first === 'object' && first !== null && ('@type' in first || '@graph' in first);
  return isLinked ? 'posting' : 'resume';
}
