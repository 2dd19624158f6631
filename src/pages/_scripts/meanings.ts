/** What each result of a guarantee period means, in words for a person. */
export const meanings = {
  retained: 'The person was still in the placement.',
  converted: 'The client took the person on.',
  attrited: 'The person was no longer in the placement.',
  finished: 'The work reached its planned end.',
};
