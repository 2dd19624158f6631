import type { Finding, Json } from '../verdict.ts';

/** A client that is connected to the service. */
export interface Desk {
  /** The names of the tools that the client passes to a model. */
  tools: readonly string[];
  /** What a model API would refuse in these tools. */
  findings: readonly Finding[];
  /** Calls a tool as the client does for a model, and resolves with the envelope of the reply. */
  call(name: string, args: Record<string, unknown>): Promise<Json>;
  close(): Promise<unknown>;
}

/** The tools that the story needs. Without a tool that deletes a record it deletes the workspace. */
const neededTools = ['createCandidate', 'updateCandidate', 'getCandidate', 'listCandidates', 'createBatch'];

const candidate = {
  name: 'Ada Example',
  onetCode: '15-1252.00',
  skills: ['TypeScript', 'SQL'],
  metro: 'Austin, TX',
  payRateUsdHour: 60,
};

/** The envelope of a tool result, from its structured content, or else from its text. */
export function toEnvelope({ structuredContent, content }: Json): Json {
  return structuredContent ?? JSON.parse(content.find(({ type }: Json) => type === 'text').text);
}

/**
 * Creates, changes, finds and deletes a candidate. Resolves with findings that have the name `client`. Never rejects.
 */
export async function tellStory(client: string, desk: Desk): Promise<Finding[]> {
  const findings = [...desk.findings];

  function expect(rule: string, isRight: boolean, seen: unknown): void {
    const message = (typeof seen === 'string' ? seen : JSON.stringify(seen)).slice(0, 300);
    if (!isRight) findings.push({ rule, where: client, message });
  }

  async function call(rule: string, name: string, args: Record<string, unknown>): Promise<Json> {
    const envelope = await desk
      .call(name, args)
      .catch((error: Error) => ({ type: 'thrown', reason: String(error) }));
    expect(rule, envelope.type === 'OK', envelope);
    return envelope;
  }

  expect(
    'list',
    neededTools.every((name) => desk.tools.includes(name)),
    desk.tools,
  );
  const created = await call('create', 'createCandidate', candidate);
  if (created.type !== 'OK') return findings;

  const { workspace } = created;
  const record = { id: created.candidate.id, workspace };
  await call('update', 'updateCandidate', { ...record, payRateUsdHour: 65 });
  const { candidate: read = {} } = await call('get', 'getCandidate', record);
  expect('update', read.payRateUsdHour === 65, read);
  for (const name of ['skills', 'metro'] as const)
    expect('update-keeps', JSON.stringify(read[name]) === JSON.stringify(candidate[name]), {
      [name]: read[name],
    });

  const listed = await call('find', 'listCandidates', { workspace, scope: 'workspace' });
  expect('find', listed.candidates?.[0]?.id === record.id, listed);

  const people = [{ name: 'Ben Example', onetCode: candidate.onetCode, skills: ['COBOL'] }];
  const batch = await call('batch', 'createBatch', { workspace, candidates: people });
  expect('batch', batch.candidates?.[0]?.skills?.[0] === 'COBOL', batch);

  if (desk.tools.includes('deleteCandidate')) await call('delete', 'deleteCandidate', record);
  else await call('delete', 'deleteWorkspace', { workspace });
  // A client may throw if it is refused.
  const gone = await desk.call('getCandidate', record).then(JSON.stringify, String);
  expect('delete', /"(EMPTY|BLOCKED)"/.test(gone), gone);
  return findings;
}
