import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { pathToFileURL } from "node:url";
import { expect, vi } from "vitest";
import { atEnd } from "./ends.js";
import { ownFolder } from "./folders.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Those of the usual distributions; without one, that of a package, which is unpacked. */
const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

async function executable(): Promise<string> {
  const found = installed.find((path) => existsSync(path));
  if (found !== undefined) return found;
  const { default: packaged } = await import("@sparticuz/chromium");
  // It is unpacked there, and removed with the folder.
  vi.stubEnv("TMPDIR", ownFolder());
  return packaged.executablePath().finally(() => vi.unstubAllEnvs());
}

let browser: Promise<Browser> | undefined;

async function launch(): Promise<Browser> {
  const started = await chromium.launch({ executablePath: await executable(), args: ["--no-sandbox"] });
  atEnd(() => {
    browser = undefined;
    return started.close();
  });
  return started;
}

/**
 * Opens a file in a browser. @param hash The part of the address after the file's name.
 * @returns its page, and what must stay empty: requests, errors and dialogs
 */
export async function open(file: string, hash = "", options: BrowserContextOptions = {}) {
  browser ??= launch();
  const page = await (await browser).newPage({ viewport: { width: 1_400, height: 900 }, ...options });
  const events: string[] = [];
  const address = pathToFileURL(file).href;
  page.on("request", (request) => request.url().startsWith(address) || events.push(`request ${request.url()}`));
  page.on("pageerror", (error) => events.push(`error ${error.message}`));
  page.on("console", (message) => events.push(`${message.type()} ${message.text()}`));
  page.on("dialog", (dialog) => {
    events.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  // A Wednesday: what a page says of this hour is the same on each day. Timers run.
  await page.clock.setFixedTime("2026-11-25T12:00:00Z");
  await page.goto(address + hash);
  return { page, events };
}

/** Expects that axe finds nothing. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations, passes } = await page.evaluate<AxeResults>(`${axe}; axe.run()`);
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
  expect(passes.length).toBeGreaterThan(10);
}
