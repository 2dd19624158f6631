import type { Operation } from '../core/operation.ts';
import type { Service } from '../core/service.ts';

interface Row {
  id: string;
  kind: 'endpoint';
  method: 'GET';
  path: string;
  expect: {
    status: number;
    contentTypeIncludes?: string;
    paths?: ({ path: string } & Record<string, unknown>)[];
  };
}

/** Calls whose answer is known beforehand, whatever was created: the addresses by the type of the answer. */
export const known = {
  empty: ['/placements?status=no-such-status', '/candidates?occupation=00-0000.00'],
  forbidden: ['/placements?scope=admin', '/placements?scope=internal'],
} as const;

const toRow = (id: string, path: string, expect: Row['expect']): Row => ({
  id,
  kind: 'endpoint',
  method: 'GET',
  path,
  expect,
});

/** A row for a GET of the contract: its plain address answers its first status with its own kind of body. */
function toOperationRow(operation: Operation): Row {
  const [status, spec] = Object.entries(operation.replies).find(
    ([code]) => code === '200' || code === '402',
  )!;
  const path = operation.path.replace('{id}', String(operation.sample?.id));
  const isEnvelope = operation.enveloped !== false;
  const type = status === '402' ? 'OFFER' : 'OK';
  return toRow(operation.operationId, path, {
    status: Number(status),
    contentTypeIncludes: spec.type ?? 'application/json',
    ...(isEnvelope && { paths: [{ path: 'type', equals: type }] }),
  });
}

/** Each boundary of the contract that a GET can reach. */
function toBoundaryRows(ceiling: number): Row[] {
  const type = (equals: string) => [{ path: 'type', equals }];
  return [
    toRow('empty-status', known.empty[0], { status: 200, paths: type('EMPTY') }),
    toRow('empty-occupation', known.empty[1], { status: 200, paths: type('EMPTY') }),
    toRow('unknown-record', '/candidates/cand_none', { status: 404, paths: type('EMPTY') }),
    toRow('unknown-code', '/occupations/00-0000.00', { status: 404, paths: type('EMPTY') }),
    toRow('forbidden-scope', known.forbidden[0], { status: 403, paths: type('BLOCKED') }),
    toRow('over-ceiling', `/placements?spend=${ceiling + 0.5}`, { status: 402, paths: type('OFFER') }),
    toRow('below-ceiling', `/placements?spend=${ceiling / 2}`, { status: 200, paths: type('OK') }),
    toRow('malformed-limit', '/placements?limit=0', { status: 400, paths: type('BLOCKED') }),
  ];
}

/**
 * The declarative suite (api.qa/suite@1), as the text that is served and hashed: reads only, at most 25
 * rows, made from the table and the pricing.
 */
export function toDeclarativeSuite({ operations, catalogue }: Service): string {
  const reads = operations.filter(({ listed, method }) => listed && method === 'GET');
  const { service, pricing } = catalogue;
  const suite = {
    $type: 'Suite',
    name: `${service.title}, declarative`,
    version: service.version,
    environments: { public: { vars: {} } },
    requirements: [...reads.map(toOperationRow), ...toBoundaryRows(pricing.hardCeiling ?? 0)],
  };
  return `${JSON.stringify(suite, null, 1)}\n`;
}
