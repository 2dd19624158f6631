import { createChallenge, defineRefusals } from '../../../kernel/refusal.ts';

/** What the operator's addresses refuse, and how a blocked address is refused everywhere. */
export const operatorRefusals = defineRefusals(
  {
    400: {
      not_an_address: 'Send {"address": "203.0.113.7"}: an IPv4 or IPv6 address.',
      own_machine: 'This is an address of this machine. It cannot be blocked.',
      too_many_blocks:
        'So many addresses are blocked that no more fit. Block networks at the proxy in front, or unblock some.',
    },
    401: { operator_only: 'Send the value of OPERATOR_TOKEN as Authorization: Bearer TOKEN.' },
    403: { address_blocked: 'The operator of this service has blocked this address.' },
  },
  { operator_only: createChallenge('Bearer realm="operator"') },
);
