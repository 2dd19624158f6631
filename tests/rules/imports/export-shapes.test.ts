import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { sendCsv } from '../../support/imports.ts';

const shapes = suite('files in the shape of real exports');

interface Shape {
  kind?: 'jobOrders';
  text: string;
  /** Members of the first record. */
  first: object;
  /** The columns that are not taken. */
  left?: string[];
}

const nurse = { title: 'Registered Nurse', onetCode: '29-1141.00' };

/** Exports by the program or habit that writes them so. */
const files: Record<string, Shape> = {
  'a staffing system with one column for the whole name': {
    text: '"ID","Name","Occupation","Status","Email 1","Primary Phone","City","State","Desired Pay"\r\n"4711","Ann Sample","Registered Nurse","Active","ann@example.com","555-0100","Columbus","OH","$45.00"\r\n',
    first: { ...nurse, ref: '4711', name: 'Ann Sample', metro: 'Columbus, OH', payRateUsdHour: 45 },
    left: ['Email 1', 'Primary Phone', 'Status'],
  },
  'a system with snake case': {
    text: 'candidate_id,first_name,last_name,current_title,location,skills,created_at\nc-1,Ann,Sample,Registered Nurse,"Columbus, OH","ICU,Triage",2026-01-02\n',
    first: { ...nurse, ref: 'c-1', name: 'Ann Sample', metro: 'Columbus, OH', skills: ['ICU', 'Triage'] },
    left: ['created_at'],
  },
  'a system with camel case': {
    text: 'firstName,lastName,jobTitle,homePhone,desiredSalary\nAnn,Sample,Registered Nurse,555-0100,95000\n',
    first: { ...nurse, name: 'Ann Sample', salaryUsdYear: 95_000 },
    left: ['homePhone'],
  },
  'a German spreadsheet with semicolons': {
    text: '\uFEFFName;Job Title;Desired Rate;Available From\r\nJürgen Größe;Registered Nurse;45,50;01.12.2026\r\n',
    first: { ...nurse, name: 'Jürgen Größe', payRateUsdHour: 45.5, availableFrom: '2026-12-01' },
  },
  'a copy from a spreadsheet with tabs': {
    text: 'Name\tTitle\tShift\nAnn Sample\tRegistered Nurse\tNights\n',
    first: { ...nurse, name: 'Ann Sample', shifts: ['night'] },
  },
  'a spreadsheet with a line that names its separator': {
    text: 'sep=;\r\nName;Title\r\nAnn Sample;Registered Nurse\r\n',
    first: { ...nurse, name: 'Ann Sample' },
  },
  'a spreadsheet with columns and rows that are empty': {
    text: 'Name,Title,,,\r\nAnn Sample,Registered Nurse,,,\r\n,,,,\r\n\r\n',
    first: { ...nurse, name: 'Ann Sample' },
  },
  'a spreadsheet with days as numbers': {
    text: 'Name,Title,Date Available\nAnn Sample,Registered Nurse,46357\n',
    first: { ...nurse, availableFrom: '2026-12-01' },
  },
  'a web page with entities': {
    text: 'Name,Title,Skills\nAnn O&#39;Sample,Registered Nurse,R&amp;D\n',
    first: { ...nurse, name: "Ann O'Sample", skills: ['R&D'] },
  },
  'a nurse registry with licences': {
    text: 'Clinician,Full Name,Specialty Title,Licenses & Certifications,State License Number\n1,Ann Sample,Registered Nurse,"RN license OH; BLS; ACLS",998877\n',
    first: { ...nurse, name: 'Ann Sample', credentials: ['RN license OH', 'BLS', 'ACLS'] },
    left: ['Clinician', 'State License Number'],
  },
  'a driver pool with a home address': {
    text: 'Driver Name,Full Name,Position,Home Address,Zip,DOB,SSN,License\nx,Bo Example,Heavy Truck Driver,12 Main St,43215,1990-01-02,000-00-0000,CDL A\n',
    first: { name: 'Bo Example', credentials: ['CDL A'], onetCode: '53-3032.00' },
    left: ['Driver Name', 'Home Address', 'Zip', 'DOB', 'SSN'],
  },
  'a survey with questions as columns': {
    text: 'Timestamp,Full Name,Job Title,"When can you start?",Gender\n2026-11-01,Ann Sample,Registered Nurse,soon,x\n',
    first: { ...nurse, name: 'Ann Sample' },
    left: ['Timestamp', 'When can you start?', 'Gender'],
  },
  'a network with a headline': {
    text: 'First Name,Last Name,URL,Email Address,Company,Position,Connected On\nAnn,Sample,https://example.com/ann,ann@example.com,Example Clinic,Registered Nurse,01 Nov 2026\n',
    first: { ...nurse, name: 'Ann Sample' },
    left: ['URL', 'Email Address', 'Company', 'Connected On'],
  },
  'a list with pay by the hour in words': {
    text: 'Candidate,Name,Role,Rate,Remote\n1,Ann Sample,Registered Nurse,USD 45 per hour,Hybrid\n',
    first: { ...nurse, payRateUsdHour: 45, workplaces: ['hybrid'] },
    left: ['Candidate'],
  },
  'a list with quoted line breaks': {
    text: 'Name,Title,Notes\n"Ann Sample","Registered Nurse","Wants nights.\nCalls back."\n',
    first: { ...nurse, note: 'Wants nights.\nCalls back.' },
  },
  'a list with codes': {
    text: 'Name,Title,O*NET Code\nAnn Sample,RN,29-1141.00\n',
    first: { name: 'Ann Sample', title: 'RN', onetCode: '29-1141.00' },
  },
  'orders of a staffing system': {
    kind: 'jobOrders',
    text: 'Job ID,Client,Job Title,# of Openings,Bill Rate,Pay Rate,Start Date,Scheduled End Date,Employment Type\r\n900,Example Clinic,Registered Nurse,3,$95.00,$55.00,12/01/2026,03/01/2027,Contract\r\n',
    first: {
      ...nurse,
      ref: '900',
      client: 'Example Clinic',
      openings: 3,
      billRateUsdHour: 95,
      payRateUsdHour: 55,
      startDate: '2026-12-01',
      endDate: '2027-03-01',
    },
    left: ['Employment Type'],
  },
  'requisitions of an applicant tracking system': {
    kind: 'jobOrders',
    text: 'Requisition ID,Company Name,Position Title,Job Location,Min Salary,Max Salary,Hiring Manager,Hiring Manager Email\nR-1,Example Clinic,Registered Nurse,"Columbus, OH, United States",90000,110000,Pat Example,pat@example.com\n',
    first: {
      ...nurse,
      ref: 'R-1',
      metro: 'Columbus, OH',
      salaryUsdYear: 90_000,
      salaryMaxUsdYear: 110_000,
      contact: 'Pat Example',
    },
    left: ['Hiring Manager Email', 'Job Location'],
  },
  'shifts of a hospital': {
    kind: 'jobOrders',
    text: 'Facility,Job Title,Worksite City,Worksite State,Shift,Guaranteed Hours,Required Certifications,Unit Phone\nExample Hospital,Registered Nurse,Dayton,OH,Night Shift,36,"BLS, ACLS",555-0100\n',
    first: {
      ...nurse,
      client: 'Example Hospital',
      metro: 'Dayton, OH',
      shift: 'night',
      hoursPerWeek: 36,
      requires: ['BLS', 'ACLS'],
    },
    left: ['Unit Phone'],
  },
  'jobs with a range of pay in one cell': {
    kind: 'jobOrders',
    text: 'Account Name;Title;Pay Range;Workplace Type\nExample Clinic;Registered Nurse;45,00 - 55,50;On-site\n',
    first: { ...nurse, payRateUsdHour: 45, payRateMaxUsdHour: 55.5, workplace: 'onsite' },
  },
};

for (const [title, { kind = 'candidates', text, first, left = [] }] of Object.entries(files)) {
  const read = async (): Promise<Body> => (await sendCsv(text, `kind=${kind}`)).body;

  shapes(`reads ${title}`, async () => {
    const { records, problems } = await read();
    const [record] = records[kind];
    for (const [member, value] of Object.entries(first))
      assert.equal(record[member], value, `${member} ${JSON.stringify({ record, problems })}`);
  });

  shapes(`finds no problem in ${title}`, async () => {
    assert.equal((await read()).problems, []);
  });

  shapes(`says what is left out of ${title}`, async () => {
    const { notTaken } = await read();
    assert.equal(notTaken.map(({ member }: Body) => member).toSorted(), left.toSorted());
  });
}

shapes.run();
