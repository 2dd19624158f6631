/** A call with one mistake, as a model makes it, and what its answer must name. */
export interface Mistake {
  tool: string;
  args: Readonly<Record<string, unknown>>;
  meant: string;
  /** The wrong name that was sent, if the mistake is a name. The answer must name it beside the right one. */
  sent?: string;
}

const code = '15-1252.00';
const candidate = { name: 'Ada', onetCode: code };
const order = { client: 'Example Works', title: 'Engineer', onetCode: code };
const placement = { candidateId: 'cand_001', jobOrderId: 'job_001', onetCode: code };
type Args = Record<string, unknown>;

/** Renames one argument. */
const renamed = (args: Args, from: string, to: string): Args =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name === from ? to : name, value]));

const toMistakes = (
  tool: string,
  args: Args,
  names: readonly (readonly [from: string, sent: readonly string[]])[],
) =>
  names.flatMap(([meant, sent]) =>
    sent.map((name) => ({ tool, args: renamed(args, meant, name), meant, sent: name })),
  );

/** Calls of a list with names that it does not have. */
const misnamed = (tool: string, names: Record<string, string>) =>
  Object.entries(names).map(([sent, meant]) => ({ tool, args: { [sent]: '2' }, meant, sent }));

export const mistakes: readonly Mistake[] = [
  ...toMistakes('createCandidate', { ...candidate, skills: ['SQL'], metro: 'Columbus, OH' }, [
    ['name', ['fullName', 'candidate_name']],
    ['onetCode', ['onet_code', 'occupation', 'soc']],
    ['skills', ['skill', 'skillset', 'Skills']],
    ['metro', ['location', 'city', 'metroArea']],
  ]),
  ...toMistakes('createJobOrder', { ...order, openings: 2, metro: 'Columbus, OH' }, [
    ['client', ['company', 'employer']],
    ['title', ['jobTitle', 'role']],
    ['onetCode', ['onet_code', 'occupation_code', 'soc_code']],
    ['openings', ['headcount', 'vacancies', 'positions', 'quantity']],
    ['metro', ['location', 'city']],
  ]),
  ...toMistakes('createPlacement', { ...placement, startDate: '2026-10-01' }, [
    ['candidateId', ['candidate_id', 'candidate', 'candidateID']],
    ['jobOrderId', ['jobId', 'job_order_id', 'orderId', 'jobOrder', 'job']],
    ['onetCode', ['onet_code', 'occupationCode']],
    ['startDate', ['start_date', 'start', 'startsOn']],
  ]),
  { tool: 'createCandidate', args: { candidate }, meant: 'candidate' },
  { tool: 'createJobOrder', args: { jobOrder: order }, meant: 'jobOrder' },
  { tool: 'createPlacement', args: { placement }, meant: 'placement' },
  { tool: 'createCandidate', args: { data: candidate }, meant: 'data' },
  { tool: 'createBatch', args: { candidate: [candidate] }, meant: 'candidates' },
  { tool: 'createBatch', args: { job_orders: [order] }, meant: 'jobOrders' },
  { tool: 'createBatch', args: { jobs: [order] }, meant: 'jobOrders' },
  { tool: 'createBatch', args: { records: [candidate] }, meant: 'candidates' },
  { tool: 'createBatch', args: { candidates: [{ name: 'Ada', onet_code: code }] }, meant: 'onetCode' },
  {
    tool: 'createBatch',
    args: { jobOrders: [{ company: 'A', title: 'B', onetCode: code }] },
    meant: 'client',
  },
  { tool: 'createCandidate', args: { name: 'Ada', onetCode: 'Software Developers' }, meant: '15-1252.00' },
  { tool: 'createCandidate', args: { name: 'Ada', onetCode: '15-1252' }, meant: '15-1252.00' },
  { tool: 'createCandidate', args: { name: 'Ada', onetCode: '151252' }, meant: '15-1252.00' },
  { tool: 'createCandidate', args: { name: 'Ada', onetCode: '15-1132.00' }, meant: '15-1252.00' },
  { tool: 'createCandidate', args: { ...candidate, skills: 'SQL' }, meant: 'array' },
  {
    tool: 'createPlacement',
    args: { ...placement, candidateId: 'job_001', jobOrderId: 'cand_001' },
    meant: 'candidateId',
  },
  { tool: 'createPlacement', args: { ...placement, candidateId: 'Sam B.' }, meant: 'listCandidates' },
  { tool: 'createPlacement', args: { ...placement, startDate: '10/01/2026' }, meant: 'YYYY-MM-DD' },
  { tool: 'createPlacement', args: { ...placement, startDate: 'next Monday' }, meant: 'YYYY-MM-DD' },
  ...misnamed('listCandidates', {
    ...{
      page: 'cursor',
      pageSize: 'limit',
      sortBy: 'sort',
      orderBy: 'sort',
      fields: 'whole',
      q: 'occupation',
    },
    ...{ onetCode: 'occupation', location: 'metro', skills: 'skill', state: 'status' },
  }),
  ...misnamed('listJobOrders', { city: 'metro', page: 'cursor' }),
  ...misnamed('listPlacements', { candidate: 'candidateId', jobId: 'jobOrderId', result: 'outcome' }),
  { tool: 'listOccupations', args: { query: 'nurse' }, meant: 'q?' },
  { tool: 'listOccupations', args: { title: 'nurse' }, meant: 'q?' },
  { tool: 'codeTitles', args: { title: 'nurse' }, meant: 'titles' },
  { tool: 'codeTitles', args: { titles: 'nurse' }, meant: 'array' },
  { tool: 'codeTitles', args: { jobTitles: ['nurse'] }, meant: 'titles' },
  { tool: 'listCandidates', args: { status: 'active' }, meant: 'available' },
  { tool: 'listJobOrders', args: { status: 'active' }, meant: 'open' },
  { tool: 'listPlacements', args: { status: 'placed' }, meant: 'active' },
  { tool: 'matchCandidates', args: { id: 'cand_001' }, meant: 'matchJobOrders' },
  { tool: 'matchJobOrders', args: { id: 'job_001' }, meant: 'matchCandidates' },
  { tool: 'getCandidate', args: { id: 'job_001' }, meant: 'getJobOrder' },
  { tool: 'getOccupation', args: { id: 'Software Developers' }, meant: 'job title' },
  { tool: 'getOccupation', args: { id: '15-1252' }, meant: '15-1252.00' },
];

export const addresses: readonly (readonly [method: string, path: string, meant: string])[] = [
  ['GET', '/jobs', '/job-orders'],
  ['GET', '/job_orders', '/job-orders'],
  ['GET', '/job-order/job_001', '/job-orders/job_001'],
  ['GET', '/positions', '/job-orders'],
  ['GET', '/candidate/cand_001', '/candidates/cand_001'],
  ['GET', '/Candidates', '/candidates'],
  ['GET', '/candidates/', '/candidates'],
  ['GET', '/api/v1/candidates', '/candidates'],
  ['GET', '/v2/job-orders', '/job-orders'],
  ['GET', '/api/v1/jobs/job_001', '/job-orders/job_001'],
  ['GET', '/people', '/candidates'],
  ['GET', '/placement/plc_001', '/placements/plc_001'],
  ['GET', '/hires', '/placements'],
  ['GET', '/occupation/15-1252.00', '/occupations/15-1252.00'],
  ['GET', '/soc', '/occupations'],
  ['GET', '/occupations/search', '/occupations?q='],
  ['GET', '/job-orders/job_001/candidates', '/job-orders/job_001/matches'],
  ['GET', '/candidates/cand_001/jobs', '/candidates/cand_001/matches'],
  ['GET', '/matches', '/job-orders/{id}/matches'],
  ['POST', '/placements/plc_001/outcomes', '/placements/plc_001/outcome'],
  ['POST', '/placements/plc_001/confirm', '/placements/plc_001/confirmations'],
  ['GET', '/workspaces', '/workspace'],
  ['GET', '/export', '/workspace/export'],
  ['POST', '/bulk', '/batch'],
  ['GET', '/prices', '/pricing'],
  ['GET', '/offers', '/offer'],
  ['GET', '/health', '/healthz'],
  ['GET', '/title', '/titles'],
  ['GET', '/api/mcp', '/mcp'],
  ['GET', '/confirmations', '/confirmation'],
  ['GET', '/receipt/plc_001', '/placements/plc_001/receipt'],
];

export const verbs: readonly (readonly [method: string, path: string, meant: string])[] = [
  ['PUT', '/candidates/cand_001', 'PATCH'],
  ['PUT', '/job-orders', 'POST'],
  ['POST', '/workspace', 'GET'],
  ['GET', '/batch', 'POST'],
  ['PATCH', '/placements/plc_001/outcome', 'POST'],
  ['POST', '/job-orders/job_001/matches', 'GET'],
];

/** Names of tools that do not exist, and the tools that are meant. */
export const toolNames: readonly (readonly [sent: string, meant: string])[] = [
  ['searchCandidates', 'listCandidates'],
  ['list_candidates', 'listCandidates'],
  ['addCandidate', 'createCandidate'],
  ['searchJobs', 'listJobOrders'],
  ['create_job_order', 'createJobOrder'],
  ['placeCandidate', 'createPlacement'],
  ['searchOccupations', 'listOccupations'],
  ['lookupOccupation', 'listOccupations'],
  ['matchJobs', 'matchJobOrders'],
  ['batchCreate', 'createBatch'],
  ['confirmOutcome', 'answerConfirmation'],
  ['workspaceStatus', 'getWorkspace'],
  ['listChanges', 'getActivity'],
  ['pricing', 'getPricing'],
];
