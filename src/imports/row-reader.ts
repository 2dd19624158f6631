import { cutExcerpt } from '../kernel/envelope.ts';
import { foldText } from '../kernel/words.ts';
import type { LeftPart, Reading } from './cells.ts';
import { type FileRow, type ImportFile, mostItems, refuseTooLong } from './import-file.ts';
import { quote } from './notes.ts';

/** A cell that is not empty, with the name of its column. */
export interface FilledCell {
  index: number;
  name: string;
  text: string;
}

const isSame = (one: unknown, other: unknown) =>
  typeof one === 'string' && typeof other === 'string'
    ? foldText(one) === foldText(other)
    : JSON.stringify(one) === JSON.stringify(other);

/** Collects what the cells of one row say, and notes each part that its record does not get. */
export class RowReader {
  readonly row: FileRow;
  readonly #file: ImportFile;
  /** Pay by the week, until the hours of a week are known. */
  readonly #weekly: { cell: FilledCell; perWeek: NonNullable<Reading['perWeek']> }[] = [];

  constructor(file: ImportFile, number: number) {
    this.#file = file;
    this.row = {
      at: `row ${number}`,
      number,
      members: {},
      places: {},
      onlyNew: new Set(),
      fromToday: new Set(),
    };
    file.rows.push(this.row);
  }

  #locate = ({ name }: FilledCell) => {
    const member = cutExcerpt(name);
    return { row: this.row.number, at: `${this.row.at}, ${member}`, member };
  };

  /** Notes a cell that cannot be read. */
  fail(cell: FilledCell, why: string): void {
    this.#file.problems.push({ ...this.#locate(cell), why, detail: quote(cell.text) });
  }

  /** Notes a cell, or a part of it, that is not stored. */
  leave(cell: FilledCell, { why, detail }: LeftPart): void {
    this.#file.notTaken.push({ ...this.#locate(cell), why, detail });
  }

  /** Notes a cell whose member an earlier column has filled with something else. */
  leaveLater(cell: FilledCell, member: string): void {
    const [, first = member] = /^row \d+, (.*)$/s.exec(this.row.places[member] ?? '') ?? [];
    this.leave(cell, { why: `${member} is taken from ${first}`, detail: quote(cell.text) });
  }

  /** Adds what a cell says. */
  add(cell: FilledCell, reading: Reading): void {
    const { members = {}, problem, notTaken, left = [], immediately, perWeek, insteadOf } = reading;
    if (reading.hasTooMany) refuseTooLong(this.#locate(cell).at, 'list');
    if (problem !== undefined) this.fail(cell, problem);
    if (notTaken !== undefined) this.leave(cell, { why: notTaken, detail: quote(cell.text) });
    for (const part of left) this.leave(cell, part);
    if (perWeek) this.#weekly.push({ cell, perWeek });
    const isKept = Object.entries(members).map(([member, value]) => this.set(cell, member, value));
    if (isKept.includes(false)) this.leaveLater(cell, Object.keys(members)[isKept.indexOf(false)]!);
    if (insteadOf) {
      const stated = { states: Object.keys(members), others: insteadOf };
      this.row.insteadOf = [...(this.row.insteadOf ?? []), stated];
    }
    if (immediately !== undefined) {
      this.map(cutExcerpt(cell.text, 40), immediately);
      for (const member of Object.keys(members)) this.row.fromToday.add(member);
    }
    if (reading.isOnlyNew) for (const member of Object.keys(members)) this.row.onlyNew.add(member);
  }

  /** Adds an entry of `mapping`, once. */
  map(from: string, to: string): void {
    const { mapping } = this.#file;
    if (!mapping.some((one) => one.from === from && one.to === to)) mapping.push({ from, to });
  }

  /** Sets a member. Lists of several columns become one. Returns false if an earlier column says something else. */
  set(cell: FilledCell, member: string, value: unknown): boolean {
    const before = this.row.members[member];
    const isList = Array.isArray(before) && Array.isArray(value);
    const { at } = this.#locate(cell);
    this.row.places[member] ??= at;
    if (before !== undefined && !isList) return isSame(before, value);
    const whole = isList ? [...new Set([...before, ...value])] : value;
    if (Array.isArray(whole) && whole.length > mostItems) refuseTooLong(at, 'list');
    this.row.members[member] = whole;
    return true;
  }

  /** Converts pay by the week. It needs the hours of a week. */
  finishWeekly(): void {
    const { hoursPerWeek } = this.row.members;
    for (const { cell, perWeek } of this.#weekly) {
      if (typeof hoursPerWeek === 'number' && hoursPerWeek > 0) this.add(cell, perWeek(hoursPerWeek));
      else this.fail(cell, 'is pay by the week; state the hours a week in another column');
    }
  }
}
