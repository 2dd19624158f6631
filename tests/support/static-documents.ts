import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const client = join(import.meta.dirname, '..', '..', 'dist', 'client');

/** A request of a static host, and the reply that is right. */
interface Question {
  path: string;
  status: number;
  type?: string;
  /** The file of the build that has the body. */
  file?: string;
}

const json = 'application/json';
const document = (path: string, file = path, type = json): Question => ({ path, status: 200, type, file });
const notFound = (path: string): Question => ({ path, status: 404 });

/** The documents of the specification whose request is empty. */
const documents: readonly Question[] = [
  document('/occupations', '/occupations.json'),
  document('/pricing', '/pricing.json'),
  { path: '/offer', status: 402, type: json },
  document('/family.json'),
  document('/icp.json'),
  document('/verify', '/verify.json'),
  document('/projection.json'),
  document('/openapi.json'),
  document('/.well-known/agents.json'),
  document('/llms.txt', '/llms.txt', 'text/plain'),
];

/** The requests that static hosts are tested with: the documents, pages, and addresses that only a live service can answer. */
export const questions: readonly Question[] = [
  ...documents,
  document('/pricing.html', '/pricing.html', 'text/html'),
  document('/occupations/11-1011.00.html', '/occupations/11-1011.00.html', 'text/html'),
  document('/occupations/11-1011.00.json'),
  notFound('/occupations?q=nurse'),
  notFound('/occupations?limit=1&q=nurse'),
  notFound('/occupations.json?q=nurse'),
  notFound('/placements?scope=admin'),
  notFound('/candidates/'),
  notFound('/nowhere'),
];

/** A reply that is not right, on a host that cannot do better: an HTML page, a 404, or a whole list. */
export type Loss = 'page' | 'notFound' | 'list';

const readMediaType = (headers: Headers) =>
  (headers.get('Content-Type') ?? '').replace(/;.*/, '').toLowerCase();

/** Begins every page of the build. A listing of a folder begins otherwise. */
const isOwnPage = (body: string) => body.startsWith('<!DOCTYPE html><html lang="en">');

const isOwn = ({ status, type, file }: Question, reply: Response, body: string): boolean =>
  reply.status === status &&
  (type === undefined || readMediaType(reply.headers) === type) &&
  (file === undefined || body === readFileSync(join(client, file), 'utf8')) &&
  (status !== 402 || JSON.parse(body).type === 'OFFER');

const losses: Record<Loss, (reply: Response, body: string) => boolean> = {
  page: ({ status, headers }, body) =>
    status === 200 && readMediaType(headers) === 'text/html' && isOwnPage(body),
  notFound: ({ status }) => status === 404,
  list: ({ status, headers }) => status === 200 && readMediaType(headers) === json,
};

/** Asks a host. Returns what is wrong with the reply, if it is neither right nor the expected loss. */
export async function findFault(
  origin: string,
  question: Question,
  loss?: Loss,
): Promise<string | undefined> {
  const reply = await fetch(origin + question.path);
  const body = await reply.text();
  const isExpected = loss ? losses[loss](reply, body) : isOwn(question, reply, body);
  if (isExpected) return undefined;
  const wanted = loss ?? `${question.status} ${question.type ?? ''}`;
  return `${reply.status} ${readMediaType(reply.headers)} instead of ${wanted}: ${body.slice(0, 80)}`;
}
