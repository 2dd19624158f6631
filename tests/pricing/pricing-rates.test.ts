import { suite } from 'uvu';
import { addCases, type Case } from '../support/pricing-cases.ts';

const rates = suite('pricing rates');
const model = { model: 'metered', hardCeiling: 25 };

/** Cases for one member of a row: what it may be, what not, where below the member that is told. */
function toCases(
  member: string,
  table: [rule: string, keeps: unknown[], breaks: unknown[], at: string, says: RegExp][],
) {
  const toRow = (value: unknown) => ({ operation: 'a', price: 1, [member]: value });
  return table.map(
    ([rule, keeps, breaks, at, says]): Case => ({
      rule: `${member}: ${rule}`,
      keeps: keeps.map(toRow),
      breaks: breaks.map(toRow),
      at: ['rates', 0, member, at].filter((part) => part !== '').join('.'),
      says,
    }),
  );
}

const cases: Case[] = [
  ...toCases('operation', [['a name', ['getPricing'], ['', 1, null], '', /text/]]),
  ...toCases('unknown', [['refused', [], [1], '', /A rate has no such member; its members are operation/]]),
  ...toCases('unit', [['words', ['usd-per-call'], ['', 1], '', /text/]]),
  ...toCases('note', [['words', ['Once a day.'], ['', 1], '', /text/]]),
  ...toCases('price', [
    ['0 or more', [0, 0.002, 1], [-0.1, '1', true], '', /number that is 0 or more/],
    ['stated where it is published', [1], [null, undefined], '', /Write the price, or a disclosure/],
    [
      'compound: amounts',
      [{ fixed: 1, percent: 20, cap: 9, floor: 2, min_fee: 1 }],
      [{ percent: -1 }],
      'percent',
      /0 or/,
    ],
    ['compound: numbers', [{ fixed: 0 }], [{ fixed: '1' }, { fixed: null }], 'fixed', /number/],
    [
      'compound: a worded basis',
      [{ percent: 20, basis: 'first-year-salary' }],
      [{ percent: 1, basis: 2 }],
      'basis',
      /text/,
    ],
    [
      'compound: fixed or percent',
      [{ fixed: 1 }, { percent: 1 }],
      [{ cap: 9 }, {}, []],
      '',
      /fixed, percent or both/,
    ],
    [
      'compound: floor up to cap',
      [{ fixed: 1, floor: 2, cap: 2 }],
      [{ fixed: 1, floor: 3, cap: 2 }],
      'floor',
      /not above cap/,
    ],
    [
      'passthrough',
      [{ provider: 'x' }, { provider: 'x', reference: '/x', markup: 5 }],
      [{ provider: 'x', markup: -5 }],
      'markup',
      /0 or/,
    ],
    ['passthrough: a provider', [{ provider: 'x' }], [{ markup: 5 }], 'provider', /must have this member/],
    [
      'discovery',
      [{ discovery: 'market', reference: '/x', buyer_cap: 5 }],
      [{ discovery: 'guess' }],
      'discovery',
      /"market"/,
    ],
    [
      'discovery: a cap',
      [{ discovery: 'market' }],
      [{ discovery: 'market', buyer_cap: 'x' }],
      'buyer_cap',
      /0 or/,
    ],
    [
      'one form, not two',
      [{ fixed: 1 }],
      [{ fixed: 1, percent: 2, provider: 'x' }],
      'provider',
      /compound price has no such/,
    ],
  ]),
  ...toCases('included', [
    [
      'a quantity, unlimited or an object',
      [0, 100, 'unlimited', { qty: 5 }],
      ['lots', null, true],
      '',
      /"unlimited"/,
    ],
    ['0 or more', [0], [-1], '', /0 or more/],
    ['a quantity in it', [{ qty: 0 }], [{ qty: -1 }, { qty: 'unlimited' }], 'qty', /0 or more/],
    [
      'not without a quantity',
      [{ qty: 5, period: 'day' }],
      [{ period: 'day' }, {}],
      'qty',
      /must have this member/,
    ],
    [
      'a period',
      ['day', 'month', 'once'].map((period) => ({ qty: 1, period })),
      [{ qty: 1, period: 'year' }],
      'period',
      /"day"/,
    ],
    ['rollover', [{ qty: 1, rollover: true }], [{ qty: 1, rollover: 'yes' }], 'rollover', /true or false/],
    ['at_limit', [{ qty: 1, at_limit: 'refuse' }], [{ qty: 1, at_limit: '' }], 'at_limit', /text/],
    ['nothing else', [{ qty: 1 }], [{ qty: 1, quantity: 1 }], 'quantity', /allowance has no such member/],
  ]),
  ...toCases('freeQuota', [['above 0', [1, 0.5], [0, -1, '1'], '', /above 0/]]),
  ...toCases('modifiers', [
    ['a list', [[]], [{}, 'none'], '', /list of modifiers/],
    [
      'an op',
      [
        [
          { op: 'multiply', value: 2 },
          { op: 'add', value: -1 },
        ],
      ],
      [[{ op: 'divide', value: 2 }]],
      '0.op',
      /"multiply"/,
    ],
    ['not without an op', [], [[{ value: 2 }]], '0.op', /must have this member/],
    ['a value', [], [[{ op: 'add', value: '2' }]], '0.value', /number/],
    ['not without a value', [], [[{ op: 'add' }]], '0.value', /must have this member/],
    [
      'a scope',
      [['rate', 'offer', 'card'].map((scope) => ({ op: 'add', value: 1, scope }))],
      [[{ op: 'add', value: 1, scope: 'all' }]],
      '0.scope',
      /"card"/,
    ],
    [
      'a condition',
      [[{ op: 'add', value: 1, condition: 'weekend' }]],
      [[{ op: 'add', value: 1, condition: 1 }]],
      '0.condition',
      /text/,
    ],
    [
      'a stacking order',
      [[{ op: 'add', value: 1, stacking_order: 0 }]],
      [[{ op: 'add', value: 1, stacking_order: 0.5 }], [{ op: 'add', value: 1, stacking_order: -1 }]],
      '0.stacking_order',
      /whole number/,
    ],
    ['nothing else', [], [[{ op: 'add', value: 1, order: 1 }]], '0.order', /modifier has no such member/],
  ]),
  ...toCases('meter', [
    [
      'an aggregation',
      ['sum', 'distinct', 'high-watermark', 'gauge', 'peak'].map((aggregation) => ({ aggregation })),
      [{ aggregation: 'mean' }],
      'aggregation',
      /"high-watermark"/,
    ],
    ['not without one', [], [{}, []], 'aggregation', /must have this member/],
    [
      'a basis',
      ['consumed', 'provisioned', 'standing'].map((basis) => ({ aggregation: 'sum', basis })),
      [{ aggregation: 'sum', basis: 'used' }],
      'basis',
      /"standing"/,
    ],
    [
      'a reset period',
      [{ aggregation: 'sum', reset_period: 'month' }],
      [{ aggregation: 'sum', reset_period: 1 }],
      'reset_period',
      /text/,
    ],
    [
      'a definition',
      [{ aggregation: 'sum', definition_url: '/x' }],
      [{ aggregation: 'sum', definition_url: 'x' }],
      'definition_url',
      /address/,
    ],
    ['nothing else', [], [{ aggregation: 'sum', kind: 'x' }], 'kind', /meter has no such member/],
  ]),
];

addCases(rates, cases, (row) => ({ ...model, rates: [row] }));

rates.run();
