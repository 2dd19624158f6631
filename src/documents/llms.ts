import { fill } from '../kernel/document.ts';
import { shortestMintKey } from '../kernel/idempotency.ts';
import { previewWithFiles } from '../kernel/service.ts';
import { formatDuration } from '../kernel/text.ts';
import { kinds } from '../kinds.ts';
import { describeLoss } from '../records/account/workspace-state.ts';
import { presentCeilings } from '../records/account/workspace-view.ts';
import type { Kind } from '../records/kind/kind.ts';
import { formatPartPath, listParts } from './api-tags.ts';
import { isForCallers } from './guides.ts';
import { start } from './home.ts';
import type { DocumentService } from './service.ts';

/**
 * Describes a create with its required members: `POST /candidates with JSON {"name", "onetCode"}`. A record that can be
 * proposed is.
 */
function describeCreate({ path, body, lifecycle }: Kind, index: number): string {
  const required = Object.entries(body.entries).filter(([, { type }]) => type !== 'optional');
  const status = (lifecycle.initial ?? []).slice(0, 1).map((initial) => `"status": "${initial}"`);
  const members = [...required.map(([name]) => `"${name}"`), ...status].join(', ');
  return `POST ${path} with ${index === 0 ? 'JSON ' : ''}{${members}}`;
}

/** Describes the rungs that cost nothing, or why they are not available. */
function describeRungs({ rungs }: DocumentService): string {
  const { work, claim } = rungs();
  const worked =
    work === true
      ? 'GET /work has a proof-of-work; POST /work with its solution earns a day and room.'
      : work;
  if (work !== true && work === claim) return work;
  return `${worked} ${claim === true ? 'POST /workspace/claim answers a `url` where your person claims it.' : claim}`;
}

/** Describes every limit except the price. */
export function describeCeilings({ settings }: DocumentService): string {
  const { records, batch, body, batchBody, rates } = presentCeilings(settings.recordCeiling, settings);
  const [kib, mib] = [body / 1024, batchBody / 1024 ** 2];
  const limited = rates && `; an address a minute: ${rates.live} live calls, ${rates.mint} new workspaces`;
  return `Ceilings: ${records} records, ${batch} a batch; bodies ${kib} KiB, of a batch ${mib} MiB${limited ?? ''}.`;
}

const formatGuideLinks = (guides: DocumentService['catalogue']['guides']) =>
  guides.map(({ title, links }) => `- [${title}](${links.markdown})`).join('\n');

/** Writes llms.txt: an H1, a quoted summary, text, and then only lists of links, each below an H2. */
export function writeLlmsTxt(self: DocumentService): string {
  const { catalogue, settings } = self;
  const { service, pricing } = catalogue;
  return fill(self, 'llms', {
    ...{ ...service, ...pricing, ...start, ...settings },
    isNot: service.icp.isNot.join(' '),
    preview: settings.live
      ? ''
      : `${previewWithFiles} Where an address without a suffix is not found, its file is: /pricing.json holds what /pricing does.\n\n`,
    promises: service.promises.map((promise) => `- ${promise}`).join('\n'),
    creates: kinds.map(describeCreate).join('; '),
    life: formatDuration(settings.retentionSeconds),
    loss: describeLoss(settings.durability),
    collections: kinds.map(({ collection }) => `"${collection}"`).join(', '),
    shortestKey: shortestMintKey,
    more: settings.live ? `\n12. More, unpaid: ${describeRungs(self)}` : '',
    ceilings: describeCeilings(self),
    parts: listParts(self)
      .map((tag) => `- [API: ${tag}](${formatPartPath(tag)})`)
      .join('\n'),
    kinds: kinds.map(({ path, about }) => `- [${path}](${path}): ${about}`).join('\n'),
    guides: formatGuideLinks(catalogue.guides.filter(isForCallers)),
  });
}
