import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Body } from './http.ts';

/** A reply as a page saw it. */
interface PageReply {
  status: number;
  headers: Record<string, string>;
  text: string;
  body: Body;
}

/** A page that sends requests by fetch, as its scripts do. */
export interface WorkerPage {
  context: BrowserContext;
  page: Page;
  ask(method: string, path: string, options?: { headers?: object; body?: unknown }): Promise<PageReply>;
  /** Waits until the page knows what answers it: `live`, `browser` or `none`. */
  kind(): Promise<string>;
}

export async function openWorkerPage(browser: Browser, url: string): Promise<WorkerPage> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  return {
    context,
    page,
    async ask(method, path, { headers = {}, body } = {}) {
      const init = {
        method,
        headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
        body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      };
      const reply = await page.evaluate(
        async ([target, options]) => {
          const response = await fetch(target, options);
          const { status } = response;
          return { status, headers: Object.fromEntries(response.headers), text: await response.text() };
        },
        [path, init as object] as const,
      );
      const isJson = reply.headers['content-type']?.includes('json') && reply.text !== '';
      return { ...reply, body: isJson ? JSON.parse(reply.text) : undefined };
    },
    async kind() {
      const handle = await page.waitForFunction(() => document.documentElement.dataset.service);
      return (await handle.jsonValue()) as string;
    },
  };
}
