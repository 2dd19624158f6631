/** First rows of files that public tools write, and of some with several columns for one member. */
const people = [
  'Candidate Name,Email Address,Phone Number,Skills,Current Company,Job Title,Years of Experience,LinkedIn',
  'Candidate Name,Email,Phone,Experience (Years),City,State,Skills,Resume Link',
  'Name,Email,Phone,Applied Position,Experience,Skills,Source,Job Type,Location,Notice Period,Current CTC,Expected CTC,Negotiable,Relocation',
  'Participant ID,Candidate Name,Email,Program,Status,Current Stage,Enrolled Date,Completed Date',
  'CAQH Provider ID,NPI,First Name,Last Name,Suffix,Specialty,Email,Phone,License Number,License State,License Expiration,DEA Number,DEA Expiration,Malpractice Carrier,Malpractice Expiration,Profile Status,Last Attestation,Authorization Status',
  'First_Name,Last_Name,Email,Phone,Position,Custom,Department,Company,City,State,Country,Unit,Tags',
  'Full Name,Current Position,City/State,Licenses & Certs,Preferred Shift,Date Available,Desired Pay Rate,Skills',
  'Cand. First,Cand. Last,Position Desired,Certs/Lic.,City,ST,Shift Pref,Avail,Rate',
  // Several columns for one member.
  'Name,Full Name,Job Title,Position,City,Location,Market,Source,Origin,Notes,Comments',
  'Name,Title,License,License State,License Expiration,Weekly Gross,Hours per week,Work Authorization',
];
const orders = [
  'Job Title,Company,Location,Salary,Employment Type,Remote,Posted',
  'Job Title,Company,Location,Salary Range,Date Posted,Application Link,Why It Matches,Pull Date',
  'Job Title,Company,Location,Salary,Job Type,Experience,Saved Date,Priority,Application Status,Notes,Tags',
  'Req #,Client,Position,Openings,Pay,Bill,Start,End,Shift,Must have',
  'Job ID,Facility,Specialty,Start Date,Contract Weeks,Weekly Gross,Guaranteed Hours,Pay,Max Pay,City,State,Country',
];

/** Ways to write that belong to some column, or to none. */
export const strangerCells: readonly string[] = [
  ...['$85-95k', '$85-95K', '85.000-95.000', '$80k-$90', '$45/hr - $55/hr', '45-55/hr', '$700 p/d', '52,50'],
  ...[
    'USD 52.50 per hour',
    'DOE',
    'competitive',
    '85.000',
    '$120-150k',
    '$1500/week',
    '$95000',
    '$45+',
    '40',
  ],
  ...[
    'up to $60',
    '85k-95k/yr',
    '$30/hr-$60k/yr',
    '12/01/2026',
    '13/02/2027',
    '2026-04-22T00:00:00',
    '36 hrs',
  ],
  ...['1 Dec 2026', 'Dec 1', 'immediately', 'ASAP', '2 weeks notice', 'Q1', '2026-12-01 to 2027-01-01', '13'],
  ...[
    '12 Main St, New York, NY 10001',
    'Toledo, OH 43604',
    'Cleveland OH',
    'Cleveland, Ohio',
    'Washington, DC',
  ],
  ...[
    'Berlin',
    'Berlin, DE',
    'Dover, DE',
    'UNAVAILABLE, MD',
    'Remote - US',
    'Greater Boston Area',
    'USA',
    'DE',
  ],
  ...['Tbilisi, Georgia', 'Atlanta, Georgia', 'Germany', 'San Francisco CA', '12 Main St', 'OH', 'Columbus'],
  ...[
    'RN license OH pending',
    'BLS (expires 01/31/2025)',
    'exp. 2025-01-31',
    'CDL A with Hazmat',
    'RN, N/A, BLS',
  ],
  ...[
    'RN license OH; ACLS until 12/01/2026',
    'React,JavaScript,TypeScript',
    'Python (primary)',
    'K8s',
    'R&D',
  ],
  ...[
    'Rey, Ana',
    "O'Brien",
    'Đặng Thị Mai',
    '李小龍',
    'Registered Nurse',
    '3-5 years',
    'Full Time',
    'Yes',
    'No',
  ],
  ...['any', 'flexible', 'D/N', 'Nights/Weekends', 'Active', 'withdrawn', 'closed', 'several', '2', '10'],
  ...[
    'N/A',
    'n/a',
    'TBD',
    'Unavailable',
    '--',
    '?',
    'none',
    '',
    '',
    'x'.repeat(90),
    '=cmd|calc',
    'until further',
  ],
];

export const strangerColumns = { candidates: people, jobOrders: orders };

const quoteCell = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
/** Writes rows as a table with commas, each cell in quotes. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(quoteCell).join()).join('\n');
