/** A finding of a referee: the rule, the place and the message. */
export interface Finding {
  rule: string;
  where: string;
  message: string;
}

/** The result of a referee: its findings and, if it gives one, a score in percent. */
export interface Verdict {
  findings: Finding[];
  score?: number;
  /** Why it could not judge on this machine. */
  leftOut?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: reports and packages of others are read as plain JSON
export type Json = any;
