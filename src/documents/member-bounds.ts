import { longestCursor, maxLimit } from '../kernel/page.ts';
import { mostTransitions } from '../records/change.ts';
import { kinds } from '../records/kinds.ts';
import { workspaceIdPattern } from '../records/workspace.ts';
import { mostLogged } from '../records/workspace-state.ts';

/** What is asked of texts and of lists. */
interface Bounds {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  maxItems?: number;
}

/** Places in a request that one answer names, and a word of how many more there are. */
const places = { maxItems: 21 };
/** What content lists by hand. */
const few = { maxItems: 100 };
const said = { minLength: 1 };
const code = { pattern: '^[a-z_]+$', maxLength: 40 };
const address = { maxLength: 2048 };
const time = { maxLength: 24 };
const day = { format: 'date', maxLength: 10 };
const digest = { pattern: '^sha256:[0-9a-f]{64}$', maxLength: 71 };

/**
 * Bounds of members whose schema tells none: what is sent here has them because of how it is made, and what is taken
 * because of its pattern. Found as `memberWords` are.
 */
export const memberBounds: Readonly<Record<string, Bounds>> = {
  ...Object.fromEntries(kinds.map(({ collection }) => [collection, { maxItems: maxLimit }])),
  ...Object.fromEntries(kinds.map(({ name }) => [`links.${name}`, address])),
  ...Object.fromEntries(kinds.map(({ collection }) => [`links.${collection}`, address])),
  id: { maxLength: 40 },
  'callMcp.id': { maxLength: 255 },
  ref: { maxLength: 64 },
  onetCode: { maxLength: 10 },
  'Occupation.id': { maxLength: 10 },
  'occupations.id': { maxLength: 10 },
  'occupation.code': { pattern: '^\\d{2}-\\d{4}\\.\\d{2}$', maxLength: 10 },
  'majorGroup.code': { maxLength: 2 },
  'Warning.code': code,
  'Issue.code': code,
  'Blocked.code': code,
  'data.code': code,
  userCode: { ...said, maxLength: 40 },
  workspace: { pattern: workspaceIdPattern, maxLength: 42 },
  nextCursor: { pattern: '^[A-Za-z0-9+/]+$', maxLength: longestCursor },
  deleted: { pattern: '^[a-z]+_[0-9a-z]+$', maxLength: 40 },
  createdAt: time,
  updatedAt: time,
  expiresAt: time,
  statedAt: time,
  at: time,
  startDate: day,
  endDate: day,
  asOf: day,
  validateBy: day,
  digest,
  occupations: { maxItems: 2000 },
  matches: { maxItems: maxLimit },
  confirmations: { maxItems: 2 },
  self: address,
  occupation: address,
  url: address,
  checkoutUrl: address,
  definition_url: address,
  formula_url: address,
  termsUrl: address,
  ledgerUrl: address,
  baseUrl: address,
  hostname: { ...said, maxLength: 261 },
  message: said,
  reason: said,
  text: said,
  statement: said,
  snippet: said,
  title: said,
  name: said,
  comment: { ...said, maxLength: 500 },
  note: said,
  unit: { ...said, maxLength: 40 },
  currency: { maxLength: 3 },
  period: { pattern: '^\\d{4}-\\d{2}$', maxLength: 7 },
  operation: { pattern: '^[a-z][A-Za-z]+$', maxLength: 40 },
  operationId: { pattern: '^[a-z][A-Za-z]+$', maxLength: 40 },
  receipt: { pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$', maxLength: 8192 },
  token: { pattern: '^cnf_', maxLength: 40 },
  requested: said,
  supported: few,
  warnings: places,
  issues: places,
  transitions: { maxItems: mostTransitions },
  log: { maxItems: mostLogged },
  'Issue.message': { ...said, maxLength: 3000 },
  'Warning.message': { ...said, maxLength: 3000 },
  companyTypes: few,
  jobTypes: few,
  personas: few,
  recordTypes: few,
  results: few,
  agent_classes: few,
  ladder: few,
  alternatives: few,
  edges: few,
  suites: few,
  titles: few,
  // Said back as it was sent.
  'titles.title': {},
  keys: few,
  rates: few,
  operations: few,
  modifiers: few,
  breaks: few,
  'outcome.receipt': said,
  'outcome.period': said,
  version: said,
  runner: said,
};
