const kinds = ['Candidate', 'JobOrder', 'Placement'];
const pathOf = (kind: string) => `/${kind.replace(/(?!^)(?=[A-Z])/, '-').toLowerCase()}s/{id}`;
/** Every operation of the contract: its id, method and path. */
export const promised = [
  ['listPlacements', 'GET', '/placements'],
  ['createPlacement', 'POST', '/placements'],
  ['getPlacement', 'GET', '/placements/{id}'],
  ['listCandidates', 'GET', '/candidates'],
  ['createCandidate', 'POST', '/candidates'],
  ['getCandidate', 'GET', '/candidates/{id}'],
  ['listJobOrders', 'GET', '/job-orders'],
  ['createJobOrder', 'POST', '/job-orders'],
  ['getJobOrder', 'GET', '/job-orders/{id}'],
  ['listOccupations', 'GET', '/occupations'],
  ['getOccupation', 'GET', '/occupations/{id}'],
  ['codeTitles', 'POST', '/titles'],
  ['getPricing', 'GET', '/pricing'],
  ['getOffer', 'GET', '/offer'],
  ['getFamily', 'GET', '/family.json'],
  ['getIcp', 'GET', '/icp.json'],
  ['getVerify', 'GET', '/verify'],
  ['getProjection', 'GET', '/projection.json'],
  ['getOpenApi', 'GET', '/openapi.json'],
  ['getAgentCard', 'GET', '/.well-known/agents.json'],
  ['getLlmsTxt', 'GET', '/llms.txt'],
  ['callMcp', 'POST', '/mcp'],
  ...kinds.map((kind) => [`update${kind}`, 'PATCH', pathOf(kind)] as const),
  ['createBatch', 'POST', '/batch'],
  ['getWorkspace', 'GET', '/workspace'],
  ...kinds.map((kind) => [`delete${kind}`, 'DELETE', pathOf(kind)] as const),
  ['matchCandidates', 'GET', '/job-orders/{id}/matches'],
  ['matchJobOrders', 'GET', '/candidates/{id}/matches'],
  ['deleteWorkspace', 'DELETE', '/workspace'],
  ['exportWorkspace', 'GET', '/workspace/export'],
  ['stateOutcome', 'POST', '/placements/{id}/outcome'],
  ['requestConfirmation', 'POST', '/placements/{id}/confirmations'],
  ['getConfirmation', 'GET', '/confirmation'],
  ['answerConfirmation', 'POST', '/confirmation'],
  ['getReceipt', 'GET', '/placements/{id}/receipt'],
  ['getKeys', 'GET', '/.well-known/jwks.json'],
] as const;

/** Those that are tools too. */
export const toolNames = [
  ...promised.slice(0, 14),
  ...promised.slice(22, 27),
  ...promised.slice(30, 32),
  ...promised.slice(34, 38),
].map(([name]) => name);
