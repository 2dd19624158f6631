/** Says whether an alternative works now. */
export const describeRung = ({ kind, live }: { kind: string; live: boolean }) =>
  live ? 'works now' : `${kind}: not in force`;

/** Returns the call of an alternative, or '' if it is not in force. */
export const formatRungCall = ({ method = '', url = '' }: { method?: string; url?: string }) =>
  `${method} ${url}`.trim();
