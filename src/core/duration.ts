/** Whole seconds in the largest unit that says them exactly: `24 h`, `90 min`, `45 s`. */
export function toDuration(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
