import type { Workspace } from './workspace.ts';

/**
 * The changes that this process writes to a store. A head that is read meanwhile can be older or newer than the
 * workspace in memory, although no other process has changed it.
 */
export class OwnWrites {
  #begun = 0;
  /** The write that is in progress, by the key of its workspace. */
  readonly #writing = new Map<string, Promise<void>>();
  /** The number of the last write of a workspace. */
  readonly #written = new WeakMap<Workspace, number>();

  /** Numbers a read or a write that begins now. */
  begin(): number {
    this.#begun += 1;
    return this.#begun;
  }

  /** Begins to write a workspace. Call the returned function when the write ends, with the workspace if it worked. */
  write(key: string): (written?: Workspace) => void {
    const number = this.begin();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#writing.set(key, promise);
    return (written) => {
      if (written) this.#written.set(written, number);
      if (this.#writing.get(key) === promise) this.#writing.delete(key);
      resolve();
    };
  }

  /** Waits until the write of a workspace that is in progress has ended. */
  async wait(key: string): Promise<void> {
    await this.#writing.get(key);
  }

  /** Whether a workspace was last written by a write that began after the read with this number. */
  isWrittenSince(workspace: Workspace, read: number): boolean {
    return (this.#written.get(workspace) ?? 0) > read;
  }
}
