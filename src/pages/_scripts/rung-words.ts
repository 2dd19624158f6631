/** What the pages say of a way on: whether it works now. */
export const toRungWord = ({ kind, live }: { kind: string; live: boolean }) =>
  live ? 'works now' : `${kind}: not in force`;

/** What is sent to go that way; empty where it is not in force. */
export const toWay = ({ method = '', url = '' }: { method?: string; url?: string }) =>
  `${method} ${url}`.trim();
