import { Effect } from "effect"
import { type BrowserContext, chromium, type Page } from "playwright-core"
import { findChromium } from "./findChromium.js"

export { browserMissing } from "./findChromium.js"

/** Chromium runs as root, and contacts no server but those of the pages that it is given. */
const args = [
  "--no-sandbox",
  "--headless",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** A browser that is closed with the scope. */
export const browser = Effect.acquireRelease(
  Effect.promise(async () => chromium.launch({ ...(await findChromium()), args })),
  (browser) => Effect.promise(() => browser.close())
)

/** The chat on a page, as somebody meets it who sees it or listens to it. */
const chatOn = (page: Page) => {
  const launcher = page.getByRole("button", { name: "Chat with us" })
  const dialog = page.getByRole("dialog")
  const log = dialog.getByRole("log")
  const field = dialog.getByRole("textbox", { name: "Your message" })
  return {
    page,
    launcher,
    dialog,
    log,
    field,
    open: Effect.promise(() => launcher.click()),
    write: (text: string) =>
      Effect.promise(async () => {
        await field.fill(text)
        await field.press("Enter")
      }),
    /** Waits for a text in the log. */
    shows: (text: string) => Effect.promise(() => log.getByText(text, { exact: true }).waitFor()),
    /** Every message in the log, from the top. */
    texts: Effect.promise(() => log.locator("p").allInnerTexts())
  }
}

/** A page of the site, on which nothing may go wrong that the browser tells. */
export const visit = (context: BrowserContext, url: string) =>
  Effect.map(
    Effect.promise(async () => {
      const page = await context.newPage()
      const troubles: Array<string> = []
      page.on("pageerror", (error) => troubles.push(String(error)))
      page.on("console", (line) => {
        if (line.type() === "error") troubles.push(line.text())
      })
      await page.goto(url)
      return { page, troubles }
    }),
    ({ page, troubles }) => ({ ...chatOn(page), troubles })
  )
