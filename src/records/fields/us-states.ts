/** Two-letter codes of the U.S. states, the District of Columbia and the territories (USPS), with their names. */
const names = `AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware,
DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas,
KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi,
MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York,
NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, RI Rhode Island,
SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia, WA Washington,
WV West Virginia, WI Wisconsin, WY Wyoming, AS American Samoa, GU Guam, MP Northern Mariana Islands, PR Puerto Rico,
VI Virgin Islands`;

/** By its code or its name in lower case, the code of a state. */
export const stateByName: ReadonlyMap<string, string> = new Map(
  names.split(/,\s/).flatMap((entry) => {
    const code = entry.slice(0, 2);
    return [code, entry.slice(3)].map((name): [string, string] => [name.toLowerCase(), code]);
  }),
);
