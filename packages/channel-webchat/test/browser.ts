import axe from "axe-core"
import { Effect } from "effect"
import { type BrowserContext, chromium, type Locator, type Page } from "playwright-core"
import { findChromium } from "./findChromium.js"

export { browserMissing } from "./findChromium.js"

/** Arguments that let Chromium run as root, and contact no other servers. */
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

/** A browser; closed with the scope. */
export const browser = Effect.acquireRelease(
  Effect.promise(async () => chromium.launch({ ...(await findChromium()), args })),
  (browser) => Effect.promise(() => browser.close())
)

/** The computed colours of an element: of its text, and of the nearest background that is not transparent. */
export const coloursOf = (located: Locator) =>
  Effect.promise(() =>
    located.evaluate((element: any) => {
      // Runs in the page, whose types Node does not have.
      const { getComputedStyle } = globalThis as any
      const clear = "rgba(0, 0, 0, 0)"
      let behind = element
      while (behind !== null && getComputedStyle(behind).backgroundColor === clear) behind = behind.parentElement
      return {
        text: getComputedStyle(element).color,
        background: behind === null ? clear : getComputedStyle(behind).backgroundColor
      }
    })
  )

/** The findings of axe in the chat, with their elements. */
export const findingsOf = (page: Page) =>
  Effect.promise(async () => {
    await page.evaluate(axe.source)
    return page.evaluate(async () => {
      const { violations } = await (globalThis as any).axe.run("parley-webchat")
      return violations.map(({ id, impact, nodes }: any) => [id, impact, ...nodes.map(({ html }: any) => html)])
    })
  })

/** The chat on a page, located by its accessible names. */
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
    /** Opens the panel unless it is open, as after a reload. */
    open: Effect.promise(async () => {
      await page.locator(".launcher:not([hidden]), .panel:not([hidden])").waitFor()
      if (!(await dialog.isVisible())) await launcher.click()
    }),
    write: (text: string) =>
      Effect.promise(async () => {
        await field.fill(text)
        await field.press("Enter")
      }),
    /** Waits for a text in the log. */
    shows: (text: string) => Effect.promise(() => log.getByText(text, { exact: true }).waitFor()),
    /** All messages in the log, from the top. */
    texts: Effect.promise(() => log.locator("p").allInnerTexts())
  }
}

/** A page of the site; fails on errors that the browser reports. */
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
