/** A headless Chromium that shows one workbench, and writes down what its console says. */
import { appendFileSync } from "node:fs";
import { chromium as playwright, type Browser, type Page } from "playwright-core";
import { chromium } from "./places.js";

/** No sandbox, as tests also run as root in a container; no calls to anybody outside. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export class WorkbenchBrowser implements AsyncDisposable {
  private constructor(
    readonly page: Page,
    private readonly browser: Browser,
  ) {}

  /**
   * Opens an empty page of the size that the pictures have.
   * @param consoleLog file that gets what the page's console says
   */
  static async open(consoleLog: string): Promise<WorkbenchBrowser> {
    const browser = await playwright.launch({ executablePath: chromium(), headless: true, args: flags });
    const context = await browser.newContext({
      viewport: { width: 1400, height: 900 },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await context.newPage();
    const log = (kind: string, text: string): void => {
      appendFileSync(consoleLog, `[${kind}] ${text}\n`);
    };
    page.on("console", (message) => {
      log(message.type(), message.text());
    });
    page.on("pageerror", (error) => {
      log("page error", error.message);
    });
    return new WorkbenchBrowser(page, browser);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
  }
}
