/** What the values of some members mean, in words for a person, by the member. */
export const valueWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  endReason: {
    'candidate-left': 'The candidate left',
    'client-ended': 'The client ended it',
    cancelled: 'Cancelled before it began',
    finished: 'It reached its planned end',
    converted: 'The client took the person on',
    other: 'Another reason',
  },
  declineReason: {
    client: 'The client declined',
    candidate: 'The candidate declined',
    closed: 'The order was closed',
    other: 'Another reason',
  },
};
