/** What the pages say of a way on: whether it works now. */
export const describeRung = ({ kind, live }: { kind: string; live: boolean }) =>
  live ? 'works now' : `${kind}: not in force`;

/** What is sent to go that way; empty where it is not in force. */
export const formatRungCall = ({ method = '', url = '' }: { method?: string; url?: string }) =>
  `${method} ${url}`.trim();
