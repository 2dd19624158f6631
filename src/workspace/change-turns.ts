/** Lets the changes of one workspace take turns, in the order in which they come. */
export class ChangeTurns {
  /** The changes that wait, by the name of the turn. It is there while a change has the turn. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Takes the turn. Returns a promise if another change has it. Each turn must be left. */
  enter(turn: string): Promise<void> | undefined {
    const waiting = this.#waiting.get(turn);
    if (waiting) return new Promise((start) => waiting.push(start));
    this.#waiting.set(turn, []);
    return undefined;
  }

  hasMore(turn: string): boolean {
    return (this.#waiting.get(turn)?.length ?? 0) > 0;
  }

  leave(turn: string): void {
    const start = this.#waiting.get(turn)?.shift();
    if (start) start();
    else this.#waiting.delete(turn);
  }
}
