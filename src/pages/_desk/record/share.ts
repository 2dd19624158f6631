import { html } from 'lit-html';
import { timeOf } from '../../_scripts/dom.ts';
import { isolate } from '../../_scripts/isolate.ts';
import { askSure } from '../common/dialog.ts';
import { askForm } from '../common/form-dialog.ts';
import { button } from '../common/parts.ts';
import { attempt, toast } from '../common/toast.ts';
import { sendWrite } from '../state/client.ts';
import { refresh } from '../state/load.ts';
import type { OpenedRecord } from '../state/model.ts';
import { facts } from '../state/page-facts.ts';
import { state } from '../state/state.ts';
import { handOut } from './outcome.ts';

/** A link to the shortlist of an order that is out. */
interface SharedLink {
  expiresAt: string;
  reviewer?: string;
  anonymous?: true;
}

interface SharedOrder {
  proposals?: number;
  shortlist?: { links: readonly SharedLink[] };
}

/** For whom a link is made, and what it shows. */
type Sharing = Pick<SharedLink, 'reviewer'> & { anonymous?: boolean | undefined };

const listLinks = ({ row }: OpenedRecord): readonly SharedLink[] =>
  (row as SharedOrder).shortlist?.links ?? [];

const fold = (reviewer?: string) => reviewer?.trim().toLowerCase();

const findLink = (shown: OpenedRecord, reviewer?: string): SharedLink | undefined =>
  listLinks(shown).find((link) => fold(link.reviewer) === fold(reviewer));

/** Returns until when a link works: until it or the workspace expires. */
const readEnd = ({ expiresAt }: SharedLink): string =>
  [expiresAt, state.workspace?.expiresAt ?? expiresAt].toSorted()[0]!;

const describeShown = (anonymous: boolean | undefined) =>
  anonymous ? 'by initials, without pay, titles or notes' : 'without pay or notes';

/** Creates a link by which a client decides on those who are proposed, and shows it once. */
export function shareShortlist(shown: OpenedRecord, { reviewer, anonymous }: Sharing = {}): Promise<void> {
  const link = findLink(shown, reviewer);
  return handOut({
    to: reviewer ?? 'client',
    out: link && readEnd(link),
    path: `${shown.row.links.self}/shortlist`,
    body: { replace: link !== undefined, reviewer, anonymous },
    member: 'shortlist',
    label: 'Link to the shortlist',
    words: `The people who open it see who is proposed, ${describeShown(anonymous)}, and ask for an interview, decline or comment. It is shown this once.`,
  });
}

/** Asks for whom a link is, and creates it. */
async function askReviewer(shown: OpenedRecord): Promise<void> {
  let sharing: Sharing | undefined;
  await askForm('Share with a reviewer', {
    note: 'Each reviewer has a link of their own, five at most. What they decide and say then has their name.',
    fields: facts.sharing,
    hints: {
      reviewer: 'Without a name it is the one link of the client.',
      anonymous: 'Shows people by initials, without title and employer.',
    },
    submit: 'Make the link',
    run: async (values) => {
      sharing = values as Sharing;
    },
  });
  if (sharing) await shareShortlist(shown, sharing);
}

/** Revokes one link, after the person has confirmed that. */
async function revoke({ row }: OpenedRecord, { reviewer }: SharedLink): Promise<void> {
  const who = reviewer ?? 'the client';
  const words = `The link of ${who} stops working at once. Other links stay, and so does what was decided.`;
  if (!(await askSure('Revoke the link?', words, 'Revoke it'))) return;
  await sendWrite('POST', `${row.links.self}/shortlist`, { revoke: true, reviewer });
  toast(`The link of ${who} is revoked.`);
  await refresh();
}

const isShareable = ({ kind, row }: OpenedRecord): boolean =>
  kind.name === 'jobOrder' && !row.example && Boolean((row as SharedOrder).proposals);

/** Whether people are proposed for an order, and no client has a link to decide. */
export const canShare = (shown: OpenedRecord): boolean => isShareable(shown) && listLinks(shown).length === 0;

function viewLink(shown: OpenedRecord, link: SharedLink) {
  const { reviewer, anonymous } = link;
  const who = reviewer === undefined ? 'The client' : isolate(reviewer);
  const replaceWords = reviewer === undefined ? 'Replace the client’s link' : 'Replace';
  return html`<p class="note">${who} has a link to the shortlist${anonymous ? ' without names' : ''} until
      ${timeOf(readEnd(link))}.
      ${button(replaceWords, () => attempt(() => shareShortlist(shown, link)), 'link')}
      ${button('Revoke', () => attempt(() => revoke(shown, link)), 'link')}</p>`;
}

/** Shows which links to the shortlist of an order are out, and ways to replace, revoke and add them. */
export function viewShare(shown: OpenedRecord): unknown {
  const links = listLinks(shown);
  if (shown.row.example || (links.length === 0 && !isShareable(shown))) return '';
  return html`<section class="shared" aria-label="Shortlist">
    ${links.map((link) => viewLink(shown, link))}
    ${isShareable(shown) ? button('Share with a reviewer', () => attempt(() => askReviewer(shown)), 'link') : ''}
  </section>`;
}
