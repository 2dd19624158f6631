import { behaviourRows } from './behaviour-rows.ts';
import { expectFace } from './home-rows.ts';
import { firstOf, isHtml, isOk, type Row, tell } from './row.ts';
import { judgeCard, judgeKeylessFlow, judgeLlms, judgeOpenApi } from './surface-rows.ts';

const judgeOffers = behaviourRows.find(({ id }) => id === 'check-offers-402')!.check;

/** The ten points. */
export const points: readonly Row[] = [
  { id: 'llms-txt', check: judgeLlms },
  { id: 'agents-json', check: judgeCard },
  {
    id: 'icp-json',
    check({ icp }) {
      const { agent_classes, agentClasses, classes } = icp.body ?? {};
      return isOk(icp) && Array.isArray(agent_classes ?? agentClasses ?? classes) ? undefined : tell(icp);
    },
  },
  {
    id: 'content-negotiation',
    check: ({ home }) =>
      firstOf([
        isOk(home.bare) && !isHtml(home.bare) ? undefined : `a bare client: ${tell(home.bare)}`,
        expectFace('html', home.browser, 'a browser Accept'),
        expectFace('json', home.json, 'Accept: application/json'),
      ]),
  },
  { id: 'openapi', check: judgeOpenApi },
  {
    id: 'mcp-declared',
    check({ card }) {
      const { transport, url, tools } = card.body?.interfaces?.mcp ?? {};
      const names = (tools ?? []).filter((tool: unknown) => typeof tool === 'string');
      const isDeclared = typeof (transport ?? url) === 'string' && names.length > 0;
      return isDeclared ? undefined : JSON.stringify(card.body?.interfaces?.mcp ?? null);
    },
  },
  { id: 'keyless-flow', check: judgeKeylessFlow },
  { id: 'offers-402', check: judgeOffers },
  {
    id: 'linkset',
    check({ llms, home }) {
      const named = ['agents.json', 'icp.json', 'openapi', 'llms.txt'].filter((name) =>
        llms.text.includes(name),
      );
      return named.length >= 2 || home.bare.headers.link ? undefined : `llms.txt names only ${named}`;
    },
  },
  {
    id: 'attestation',
    check({ card, icp }) {
      const { attestationLadder, attestation } = card.body ?? {};
      const found = attestationLadder ?? attestation ?? icp.body?.ladder ?? icp.body?.attestation;
      return found === undefined ? 'no ladder in the card or icp.json' : undefined;
    },
  },
];
