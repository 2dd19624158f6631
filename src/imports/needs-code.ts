/** What the problem of a row without a sure code ends with. The pages offer occupations there instead. */
export const needsCode = 'Send its code in codes';

/** The problem of a row that states neither its title nor its code. */
export const lacksTitle = 'has neither a title nor an O*NET-SOC code; send one';
