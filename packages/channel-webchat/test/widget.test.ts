import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { BrowserContextOptions, Locator } from "playwright-core"
import { customerSignature, proofOfWork, type WebchatOptions } from "../src/index.js"
import { browser, browserMissing, coloursOf, findingsOf, visit } from "./browser.js"
import { chatServer } from "./chatServer.js"
import { contrastRatio, rgbOf } from "./contrastRatio.js"
import { memoryContext, quoting } from "./memoryContext.js"
import { site } from "./site.js"
import { until } from "./until.js"
import { identitySecret, png, visitorSecret, webchatAt } from "./visits.js"

const why = browserMissing === null ? "" : ` (skipped: ${browserMissing})`
const timeout = 120_000

/** A shop with a chat, and a browser. `tag`: attributes of the script that identify the visitor. */
const setting = (given: { readonly tag?: () => string; readonly allowed?: boolean } & WebchatOptions = {}) =>
  Effect.gen(function* () {
    const context = memoryContext()
    const credentials = { visitor_secret: visitorSecret, identity_secret: identitySecret }
    const config: {
      allowed_origins: ReadonlyArray<string>
      greeting: string
      accent_color?: string
      file_types?: ReadonlyArray<string>
      labels?: object
      pre_chat?: ReadonlyArray<string>
      office_hours?: object
      sound?: boolean
    } = {
      allowed_origins: [],
      greeting: "What can we do for you?"
    }
    const { provider, connection } = webchatAt(context, { options: given })
    const server = yield* chatServer(provider, { ...connection, config }, credentials, context)
    const shop = yield* site(() => server.url, given.tag)
    if (given.allowed !== false) config.allowed_origins = [shop]
    const chromium = yield* browser
    const handles = () => [
      ...new Set(context.events.flatMap((event) => (event._tag === "Message" ? [event.from] : [])))
    ]
    const messages = () => handles().flatMap((handle) => context.stored(handle))
    return {
      context: context,
      server,
      provider,
      connection,
      shop,
      /** The settings of the connection; a new device loads them. */
      config,
      /** A browser context with its own storage. */
      device: Effect.promise(() => chromium.newContext()),
      deviceWith: (options: BrowserContextOptions) => Effect.promise(() => chromium.newContext(options)),
      handles,
      /** The handle of the first message. */
      handle: until("a message arrived", () => handles()[0]),
      has: (body: string, status: string) =>
        until(`"${body}" is ${status}`, () => messages().find((one) => one.body === body && one.status === status)),
      taken: (body: string) => messages().filter((one) => one.direction === "inbound" && one.body === body).length
    }
  })

describe.skipIf(browserMissing !== null)(`the widget in a browser${why}`, () => {
  it.scopedLive(
    "sends, receives and reports reading; text is not interpreted as HTML",
    () =>
      Effect.gen(function* () {
        const { context, shop, device, handle, has } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        yield* chat.write("Is there a blue one?")
        const markup = "<img src=x onerror=alert(1)> & 🥐"
        context.push(yield* handle, markup)
        yield* chat.shows(markup)
        expect(yield* chat.texts).toEqual(["Is there a blue one?", markup])
        expect(yield* Effect.promise(() => chat.dialog.getByText("What can we do for you?").isVisible())).toBe(true)
        expect(yield* Effect.promise(() => chat.dialog.locator("img").count())).toBe(0)
        yield* has(markup, "read")
        expect(chat.troubles).toEqual([])
      }),
    timeout
  )

  it.scopedLive(
    "shows texts with all characters that JSON leaves as they are",
    () =>
      Effect.gen(function* () {
        const { context, shop, device, handle, has } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        yield* chat.write("Where are you?")
        yield* until("the stream is open", () => context.events[0])
        const text = "Main Street 1\u2028Springfield\u2029\u0085"
        context.push(yield* handle, text)
        context.push(yield* handle, "See you!")
        yield* has("See you!", "read")
        expect(yield* Effect.promise(() => chat.log.locator("p").allTextContents())).toEqual([
          "Where are you?",
          text,
          "See you!"
        ])
      }),
    timeout
  )

  it.scopedLive(
    "does a proof of work for a new visitor, once",
    () =>
      Effect.gen(function* () {
        const { device, shop, taken } = yield* setting({ challenge: proofOfWork({ fromLoad: 0 }) })
        const chat = yield* visit(yield* device, shop)
        const sessions: Array<number> = []
        chat.page.on("response", (response) => {
          if (response.url().endsWith("/session")) sessions.push(response.status())
        })
        yield* chat.open
        yield* chat.write("I worked for this.")
        yield* until("the message arrived", () => taken("I worked for this.") || undefined)
        expect(sessions).toEqual([403, 200])
      }),
    timeout
  )

  it.scopedLive(
    "lets the page answer other challenges",
    () =>
      Effect.gen(function* () {
        const { device, shop, taken } = yield* setting({
          challenge: {
            issue: () => ({ type: "riddle", question: "6 × 7" }),
            verify: ({ solution }) => solution === "6 × 7 = 42"
          }
        })
        const phone = yield* device
        yield* Effect.promise(() =>
          phone.addInitScript(
            "window.parleyChallenge = async ({ type, question }) => type === 'riddle' ? { solution: question + ' = 42' } : {}"
          )
        )
        const chat = yield* visit(phone, shop)
        yield* chat.open
        yield* chat.write("42")
        yield* until("the message arrived", () => taken("42") || undefined)
      }),
    timeout
  )

  it.scopedLive(
    "shows which message one answers, and lets the visitor answer a message of the business",
    () =>
      Effect.gen(function* () {
        const { context, shop, device, handle, taken } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        const quotes = Effect.promise(() => chat.log.locator("blockquote").allInnerTexts())
        yield* chat.open
        yield* chat.write("Is there a blue one?")
        yield* until("it is taken", () => taken("Is there a blue one?") || undefined)
        const [question] = context.stored(yield* handle)
        const answer = context.push(yield* handle, "Yes, in M", { envelope: question ? quoting(question) : null })
        yield* chat.shows("Yes, in M")
        expect(yield* quotes).toEqual(["Is there a blue one?"])

        const reply = chat.log.getByRole("button", { name: "Reply" })
        expect(yield* Effect.promise(() => reply.count())).toBe(1)
        yield* Effect.promise(() => reply.focus())
        yield* Effect.promise(() => reply.press("Enter"))
        const cancel = chat.dialog.getByRole("button", { name: "Cancel the reply" })
        yield* Effect.promise(() => cancel.click())
        yield* chat.write("Thanks")
        yield* until("it is taken", () => taken("Thanks") || undefined)
        expect(context.events.at(-1)).not.toHaveProperty("quoted")

        yield* Effect.promise(() => reply.click())
        expect(yield* Effect.promise(() => chat.dialog.locator(".answering").textContent())).toBe("Yes, in M")
        yield* chat.write("I take it")
        yield* until("it is taken", () => taken("I take it") || undefined)
        expect(context.events.at(-1)).toMatchObject({ quoted: { providerMessageId: answer.id } })
        expect(yield* Effect.promise(() => cancel.count())).toBe(0)
        expect(yield* quotes).toEqual(["Is there a blue one?", "Yes, in M"])

        yield* Effect.promise(() => chat.page.reload())
        yield* chat.shows("I take it")
        expect(yield* quotes).toEqual(["Is there a blue one?", "Yes, in M"])
        expect(chat.troubles).toEqual([])
      }),
    timeout
  )

  it.scopedLive(
    "shows the options of the newest question as buttons, until the visitor answers",
    () =>
      Effect.gen(function* () {
        const { context, shop, device, handle } = yield* setting()
        const options = (...titles: ReadonlyArray<string>) => ({
          type: "choices" as const,
          content: {
            type: "choices" as const,
            button: null,
            options: titles.map((title) => ({ id: `${title} id`, title, description: null }))
          }
        })
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        yield* chat.write("Hello")
        const old = context.push(yield* handle, "Which size?", options("Small", "Large"))
        yield* chat.shows("Which size?")
        const question = context.push(yield* handle, "Which colour?", options("Red", "Blue"))
        yield* chat.shows("Which colour?")
        const choice = (name: string) => chat.log.getByRole("button", { name })
        expect(yield* Effect.promise(() => choice("Small").isDisabled())).toBe(true)
        yield* Effect.promise(() => choice("Blue").click())
        const press = yield* until("the press arrived", () =>
          context.events.find((event) => event._tag === "Message" && event.body === "Blue")
        )
        expect(press).toMatchObject({
          content: { type: "choice", id: "Blue id", title: "Blue" },
          quoted: { providerMessageId: question.id }
        })
        expect(old.id).not.toBe(question.id)
        // Also after a reload, the answered question can no longer be pressed.
        yield* Effect.promise(() => chat.page.reload())
        yield* chat.open
        yield* chat.shows("Which colour?")
        for (const name of ["Small", "Large", "Red", "Blue"]) {
          expect(yield* Effect.promise(() => choice(name).isDisabled())).toBe(true)
        }
        expect(yield* chat.texts).toEqual(["Hello", "Which size?", "Which colour?", "Blue"])
        expect(chat.troubles).toEqual([])
      }),
    timeout
  )

  it.scopedLive(
    "sends files that are picked, pasted and dropped, and shows them",
    () =>
      Effect.gen(function* () {
        const { context, shop, device } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        const picker = chat.dialog.locator("input[type=file]")
        const picked = [
          { name: "fox.png", mimeType: "image/png", buffer: Buffer.from(png) },
          { name: "list.csv", mimeType: "text/csv", buffer: Buffer.from("a;b") }
        ]
        yield* Effect.promise(() => picker.setInputFiles(picked))
        const image = chat.log.getByRole("img", { name: "fox.png" })
        yield* Effect.promise(() => image.waitFor())
        yield* Effect.promise(() => chat.log.getByRole("link", { name: "list.csv (1 kB)" }).waitFor())
        /** Fires an event with a text file at an element. */
        const fire = (located: Locator, type: "paste" | "drop", name: string) =>
          Effect.promise(() =>
            located.evaluate(
              (element: any, [type, name]) => {
                const { DataTransfer, File, ClipboardEvent, DragEvent } = globalThis as any
                const transfer = new DataTransfer()
                transfer.items.add(new File(["hello"], name, { type: "text/plain" }))
                const init = { bubbles: true, composed: true, cancelable: true }
                element.dispatchEvent(
                  type === "paste"
                    ? new ClipboardEvent(type, { ...init, clipboardData: transfer })
                    : new DragEvent(type, { ...init, dataTransfer: transfer })
                )
              },
              [type, name] as const
            )
          )
        yield* fire(chat.field, "paste", "pasted.txt")
        yield* Effect.promise(() => chat.log.getByRole("link", { name: "pasted.txt (1 kB)" }).waitFor())
        yield* fire(chat.log, "drop", "dropped.txt")
        yield* Effect.promise(() => chat.log.getByRole("link", { name: "dropped.txt (1 kB)" }).waitFor())
        const names = context.events.flatMap((event) => (event._tag === "Message" ? event.attachments : []))
        expect(names.map(({ fileName, contentType }) => [fileName, contentType])).toEqual([
          ["fox.png", "image/png"],
          ["list.csv", "text/csv"],
          ["pasted.txt", "text/plain"],
          ["dropped.txt", "text/plain"]
        ])
        const width = () => image.evaluate((shown: any) => shown.complete && shown.naturalWidth)
        expect(yield* Effect.promise(width)).toBe(1)
        // Also after a reload.
        yield* Effect.promise(() => chat.page.reload())
        yield* chat.open
        yield* Effect.promise(() => image.waitFor())
        yield* Effect.promise(() => chat.log.getByRole("link", { name: "dropped.txt (1 kB)" }).waitFor())
        expect(chat.troubles).toEqual([])
      }),
    timeout
  )

  it.scopedLive(
    "offers to send a file again that the limit of the day refuses, and goes on with texts",
    () =>
      Effect.gen(function* () {
        const { shop, device, taken } = yield* setting({ bounds: { filesPerDay: 1 } })
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        const file = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from("text") })
        yield* Effect.promise(() =>
          chat.dialog.locator("input[type=file]").setInputFiles([file("one.txt"), file("two.txt")])
        )
        yield* Effect.promise(() => chat.log.getByRole("link", { name: "one.txt (1 kB)" }).waitFor())
        yield* Effect.promise(() => chat.log.getByRole("button", { name: "Not sent. Try again" }).waitFor())
        yield* chat.write("Hello")
        yield* until("the text arrived", () => (taken("Hello") === 1 ? true : undefined))
      }),
    timeout
  )

  it.scopedLive(
    "shows a file that is sent while the history loads",
    () =>
      Effect.gen(function* () {
        const { context, shop, device } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        // The history is read before the upload and arrives after it began. It is shown once the stream is opened.
        yield* Effect.promise(async () => {
          // Awaited from now on: the request may come before the upload's handler runs.
          const opened = chat.page.waitForRequest("**/stream")
          await chat.page.route("**/messages", async (route) => {
            const began = chat.page.waitForRequest("**/files?*")
            const response = await route.fetch()
            await began
            await route.fulfill({ response })
          })
          await chat.page.route("**/files?*", async (route) => {
            await opened
            await route.continue()
          })
        })
        yield* chat.open
        const file = { name: "fox.png", mimeType: "image/png", buffer: Buffer.from(png) }
        yield* Effect.promise(() => chat.dialog.locator("input[type=file]").setInputFiles([file]))
        yield* Effect.promise(() => chat.log.getByRole("img", { name: "fox.png" }).waitFor())
        expect(context.events).toHaveLength(1)
      }),
    timeout
  )

  it.scopedLive(
    "sends what follows a file that was deleted before it was sent",
    () =>
      Effect.gen(function* () {
        const { shop, device, taken } = yield* setting()
        const folder = yield* Effect.acquireRelease(
          Effect.promise(() => mkdtemp(join(tmpdir(), "parley-"))),
          (folder) => Effect.promise(() => rm(folder, { recursive: true }))
        )
        const file = join(folder, "note.txt")
        const chat = yield* visit(yield* device, shop)
        let release = () => {}
        const released = new Promise<void>((resolve) => {
          release = resolve
        })
        yield* Effect.promise(() =>
          chat.page.route("**/messages", async (route) => {
            if (route.request().method() === "POST") await released
            await route.continue()
          })
        )
        yield* chat.open
        yield* chat.write("before")
        yield* Effect.promise(async () => {
          await writeFile(file, "Two loaves.")
          await chat.dialog.locator("input[type=file]").setInputFiles(file)
          await chat.log.getByText("note.txt").waitFor()
          await rm(file)
        })
        yield* chat.write("after")
        release()
        yield* until("the text after the file arrived", () => taken("after") || undefined)
        yield* Effect.promise(() => chat.log.getByRole("button", { name: "Not sent. Try again" }).waitFor())
      }),
    timeout
  )

  it.scopedLive(
    "does not send files that are too large or of another type, or any where none are accepted",
    () =>
      Effect.gen(function* () {
        const { config, context, shop, device } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        const picker = chat.dialog.locator("input[type=file]")
        const files = [
          { name: "page.html", mimeType: "text/html", buffer: Buffer.from("<p>") },
          { name: "long.txt", mimeType: "text/plain", buffer: Buffer.alloc(10_485_761) },
          { name: "empty.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) }
        ]
        yield* Effect.promise(() => picker.setInputFiles(files))
        const refused = "cannot be sent: it is too large or of another type"
        const alert = chat.dialog.getByRole("alert")
        expect(yield* Effect.promise(() => alert.textContent())).toBe(
          files.map(({ name }) => `${name} ${refused}`).join("\n")
        )
        // One that only its bytes give away.
        yield* Effect.promise(() =>
          picker.setInputFiles([{ name: "fox.png", mimeType: "image/png", buffer: Buffer.from("no image") }])
        )
        yield* Effect.promise(() => chat.log.getByRole("button", { name: "Not sent. Try again" }).waitFor())
        expect(yield* Effect.promise(() => alert.isVisible())).toBe(false)
        expect(context.events).toEqual([])
        config.file_types = []
        const other = yield* visit(yield* device, shop)
        yield* other.open
        expect(yield* Effect.promise(() => other.dialog.getByRole("button", { name: "Attach files" }).count())).toBe(0)
      }),
    timeout
  )

  it.scopedLive(
    "shows images of the business, and links to its other files",
    () =>
      Effect.gen(function* () {
        const { context, shop, device, handle } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        yield* chat.write("Hello")
        const attachment = (id: string, contentType: string, fileName: string | null, bytes: Uint8Array) => {
          context.files.set(id, { contentType, bytes })
          return { id, type: "document" as const, contentType, fileName, size: bytes.length }
        }
        const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")
        const to = yield* handle
        context.push(to, "Our catalogue", {
          type: "media",
          attachments: [
            attachment("one", "image/png", "fox.png", png),
            attachment("two", "image/svg+xml", "plan.svg", svg),
            attachment("three", "application/pdf", null, new Uint8Array(1_200_000))
          ]
        })
        context.push(to, "", { type: "media", attachments: [attachment("four", "image/gif", "broken.gif", svg)] })
        yield* chat.shows("Our catalogue")
        yield* Effect.promise(() => chat.log.getByRole("img", { name: "fox.png" }).waitFor())
        // An image that cannot be shown becomes a link.
        yield* Effect.promise(() => chat.log.getByRole("link", { name: "broken.gif (1 kB)" }).waitFor())
        expect(yield* Effect.promise(() => chat.log.getByRole("img").count())).toBe(1)
        const links = yield* Effect.promise(() =>
          chat.log
            .locator("a")
            .evaluateAll((found: ReadonlyArray<any>) =>
              found.map(({ textContent, pathname, rel }) => [textContent, pathname, rel])
            )
        )
        const rel = "noopener noreferrer"
        expect(links).toEqual([
          ["", "/media/one", rel],
          ["plan.svg (1 kB)", "/media/two", rel],
          ["File (1.2 MB)", "/media/three", rel],
          ["broken.gif (1 kB)", "/media/four", rel]
        ])
      }),
    timeout
  )

  it.scopedLive(
    "shows the agent's name, and that the business types until a message comes",
    () =>
      Effect.gen(function* () {
        const { context, shop, device, handle, provider, connection } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        yield* chat.write("Hello")
        const to = yield* handle
        context.push(to, "Hi", { agentId: "7" })
        yield* chat.shows("Hi")
        yield* Effect.promise(() => chat.log.getByText("Agent 7", { exact: true }).waitFor())
        expect(yield* Effect.promise(() => chat.log.locator(".avatar").textContent())).toBe("A7")
        const type = (handle: string) =>
          Effect.option(
            provider.signal?.(connection, {}, { kind: "typing", to: handle, lastMessageId: "1" }) ??
              Effect.dieMessage("it has no signals")
          )
        yield* type(to)
        const typing = chat.dialog.getByText("Typing…")
        yield* Effect.promise(() => typing.waitFor())
        context.push(to, "How are you?")
        yield* chat.shows("How are you?")
        expect(yield* Effect.promise(() => typing.isVisible())).toBe(false)
        expect(yield* type("visitor:01900000-0000-7000-8000-0000000000ff")).toEqual(Option.none())
        expect(chat.troubles).toEqual([])
      }),
    timeout
  )

  it.scopedLive(
    "shows the agent's image, and the initials where the browser cannot show it",
    () =>
      Effect.gen(function* () {
        const { context, shop, device, handle } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        yield* chat.write("Hello")
        const to = yield* handle
        context.files.set("7", { contentType: "image/png", bytes: png })
        context.files.set("8", { contentType: "image/png", bytes: Buffer.from("<svg/>") })
        context.push(to, "with an image", { agentId: "7" })
        context.push(to, "with a broken one", { agentId: "8" })
        yield* chat.shows("with a broken one")
        const [image, initials] = [chat.log.locator(".avatar").first(), chat.log.locator(".avatar").nth(1)]
        const shown = image.locator("img")
        yield* Effect.promise(() => shown.waitFor())
        expect(yield* Effect.promise(() => shown.evaluate((one: any) => one.naturalWidth))).toBeGreaterThan(0)
        expect(yield* Effect.promise(() => shown.boundingBox())).toMatchObject({ width: 24, height: 24 })
        expect(yield* Effect.promise(() => initials.textContent())).toBe("A8")
      }),
    timeout
  )

  it.scopedLive(
    "marks what the business has read, also after a reload",
    () =>
      Effect.gen(function* () {
        const { context, shop, device, handle, provider, connection, has } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        yield* chat.write("Hello")
        const to = yield* handle
        context.push(to, "Hi")
        yield* has("Hi", "read")
        const last = context.stored(to).find(({ body }) => body === "Hello")?.providerMessageId ?? ""
        yield* provider.signal?.(connection, {}, { kind: "read", to, lastMessageId: last }) ?? Effect.void
        const seen = chat.log.locator(".own", { hasText: "Seen" })
        const seenText = Effect.promise(async () => {
          await seen.waitFor()
          return seen.locator("p").textContent()
        })
        expect(yield* seenText).toBe("Hello")
        yield* chat.write("Are you there?")
        yield* chat.shows("Are you there?")
        expect(yield* seenText).toBe("Hello")
        yield* Effect.promise(() => chat.page.reload())
        yield* chat.open
        expect(yield* seenText).toBe("Hello")
        expect(chat.troubles).toEqual([])
      }),
    timeout
  )

  it.scopedLive(
    "asks who the visitor is before the first message, once",
    () =>
      Effect.gen(function* () {
        const { config, context, shop, device } = yield* setting()
        config.pre_chat = ["name", "email"]
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        expect(yield* Effect.promise(() => chat.field.isVisible())).toBe(false)
        expect(yield* findingsOf(chat.page)).toEqual([])
        const start = chat.dialog.getByRole("button", { name: "Start the chat" })
        yield* Effect.promise(async () => {
          await chat.dialog.getByLabel("Name").fill("Ada Lovelace")
          await start.click()
        })
        expect(context.events).toEqual([])
        yield* Effect.promise(async () => {
          await chat.dialog.getByLabel("Email").fill("ada@shop.example")
          await chat.dialog.getByLabel("Name").fill("  ")
          await start.click()
        })
        expect(context.events).toEqual([])
        expect(yield* Effect.promise(() => chat.field.isVisible())).toBe(false)
        yield* Effect.promise(async () => {
          await chat.dialog.getByLabel("Name").fill(" Ada Lovelace ")
          await start.click()
        })
        yield* chat.write("Hello")
        yield* until("both arrived", () => (context.events.length >= 2 ? true : undefined))
        expect(context.events).toMatchObject([
          {
            displayName: "Ada Lovelace",
            content: { type: "form", answers: { name: "Ada Lovelace", email: "ada@shop.example" } }
          },
          { body: "Hello" }
        ])
        yield* Effect.promise(() => chat.page.reload())
        yield* chat.open
        yield* chat.shows("Hello")
        expect(yield* Effect.promise(() => chat.field.isVisible())).toBe(true)
        expect(chat.troubles).toEqual([])
      }),
    timeout
  )

  it.scopedLive(
    "says outside of the office hours that it is closed",
    () =>
      Effect.gen(function* () {
        const { config, shop, device } = yield* setting()
        const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        const today = new Date().getUTCDay()
        const open = { days, from: "00:00", to: "24:00" }
        // Neither today nor a day beside it: the test may run at midnight.
        const other = { ...open, days: days.filter((_, n) => ![0, 1, 6].includes((n + 1 - today + 7) % 7)) }
        for (const [hours, isClosed] of [
          [open, false],
          [other, true]
        ] as const) {
          config.office_hours = { time_zone: "UTC", hours: [hours] }
          const chat = yield* visit(yield* device, shop)
          yield* chat.open
          const note = chat.dialog.getByText("We are closed now. Write to us, and we will answer later.")
          expect(yield* Effect.promise(() => note.isVisible())).toBe(isClosed)
          expect(yield* findingsOf(chat.page)).toEqual([])
        }
      }),
    timeout
  )

  it.scopedLive(
    "inserts emoji at the cursor, and Escape closes them before the chat",
    () =>
      Effect.gen(function* () {
        const { shop, device, taken } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        const emoji = chat.dialog.getByRole("button", { name: "Emoji" })
        const thumb = chat.dialog.getByRole("button", { name: "👍" })
        yield* Effect.promise(async () => {
          await chat.field.fill("Good!")
          await chat.field.press("ArrowLeft")
          await emoji.click()
          await thumb.waitFor()
        })
        expect(yield* findingsOf(chat.page)).toEqual([])
        yield* Effect.promise(() => chat.page.keyboard.press("Escape"))
        expect(yield* Effect.promise(() => thumb.isVisible())).toBe(false)
        expect(yield* Effect.promise(() => chat.dialog.isVisible())).toBe(true)
        yield* Effect.promise(async () => {
          await emoji.click()
          await thumb.click()
          await chat.page.keyboard.press("Enter")
        })
        yield* until("it is taken", () => (taken("Good👍!") === 1 ? true : undefined))
      }),
    timeout
  )

  it.scopedLive(
    "sounds for a message while the visitor does not look at it, unless that is off",
    () =>
      Effect.gen(function* () {
        const { config, context, shop, device, handles, has } = yield* setting()
        for (const [n, sound] of [true, false].entries()) {
          config.sound = sound
          const visitor = yield* device
          yield* Effect.promise(() =>
            visitor.addInitScript(() => {
              const page = globalThis as any
              page.sounds = 0
              page.AudioContext = class {
                currentTime = 0
                node = {
                  frequency: { setValueAtTime: () => {} },
                  gain: { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} },
                  connect: (next: unknown) => next,
                  start: () => page.sounds++,
                  stop: () => {}
                }
                createOscillator = () => this.node
                createGain = () => this.node
              }
            })
          )
          const chat = yield* visit(visitor, shop)
          const sounds = Effect.promise(() => chat.page.evaluate(() => (globalThis as any).sounds))
          yield* chat.open
          yield* chat.write("Hello")
          const to = yield* until("it arrived", () => handles()[n])
          context.push(to, "seen at once")
          yield* has("seen at once", "read")
          expect(yield* sounds).toBe(0)
          yield* Effect.promise(() => chat.dialog.getByRole("button", { name: "Close the chat" }).click())
          context.push(to, `unseen ${sound}`)
          yield* has(`unseen ${sound}`, "delivered")
          expect(yield* sounds).toBe(sound ? 1 : 0)
          expect(chat.troubles).toEqual([])
        }
      }),
    timeout
  )

  it.scopedLive(
    "shows addresses as links of their scheme, and nothing else",
    () =>
      Effect.gen(function* () {
        const { context, shop, device, handle } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        yield* chat.write("Hello")
        const text =
          "See https://shop.example/a?b=c(d). Or HTTP://x.example! Mail help@shop.example, not javascript:alert(1) or data:text/html,x"
        context.push(yield* handle, text)
        yield* chat.shows(text)
        const links = yield* Effect.promise(() =>
          chat.log
            .locator("a")
            .evaluateAll((found: ReadonlyArray<any>) =>
              found.map((link) => [link.textContent, link.getAttribute("href"), link.rel, link.target])
            )
        )
        const safe = ["noopener noreferrer nofollow", "_blank"]
        expect(links).toEqual([
          ["https://shop.example/a?b=c(d", "https://shop.example/a?b=c(d", ...safe],
          ["HTTP://x.example", "HTTP://x.example", ...safe],
          ["help@shop.example", "mailto:help@shop.example", ...safe]
        ])
      }),
    timeout
  )

  it.scopedLive(
    "reconnects without missing or repeating messages",
    () =>
      Effect.gen(function* () {
        const { context, server, shop, device, handle, has, taken } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        yield* chat.write("first")
        context.push(yield* handle, "before")
        yield* chat.shows("before")
        yield* server.stop
        yield* Effect.promise(() => chat.dialog.getByText("No connection. Trying again…").waitFor())
        for (let n = 0; n < 150; n += 1) context.push(yield* handle, `meanwhile ${n}`)
        yield* chat.write("still here?")
        yield* Effect.promise(() => chat.log.getByText("Sending…").waitFor())
        yield* server.start
        yield* chat.shows("meanwhile 149")
        yield* has("still here?", "delivered")
        context.push(yield* handle, "after")
        yield* chat.shows("after")
        yield* has("after", "read")
        expect((yield* chat.texts).filter((text) => text !== "still here?")).toEqual([
          "first",
          "before",
          ...Array.from({ length: 150 }, (_, n) => `meanwhile ${n}`),
          "after"
        ])
        expect((yield* chat.texts).filter((text) => text === "still here?")).toHaveLength(1)
        expect(taken("still here?")).toBe(1)
        expect(context.stored(yield* handle).filter(({ status }) => status === "sent")).toEqual([])
      }),
    timeout
  )

  it.scopedLive(
    "retries a message with a lost response, which is stored once",
    () =>
      Effect.gen(function* () {
        const { context, server, shop, device, handles, taken } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        server.loseNextAnswer()
        yield* chat.write("once")
        yield* until("it arrived twice", () => (context.events.length === 2 ? true : undefined))
        yield* chat.write("and more")
        yield* until("the next one arrived", () => (taken("and more") === 1 ? true : undefined))
        expect([taken("once"), handles().length]).toEqual([1, 1])
        expect(yield* chat.texts).toEqual(["once", "and more"])
      }),
    timeout
  )

  it.scopedLive(
    "counts messages while the panel is closed, and shows them after a reload",
    () =>
      Effect.gen(function* () {
        const { context, shop, device, handle, has } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        yield* chat.write("Hello")
        yield* Effect.promise(() => chat.page.keyboard.press("Escape"))
        const isFocused = () => chat.launcher.evaluate((button) => button.matches(":focus"))
        expect(yield* Effect.promise(isFocused)).toBe(true)
        context.push(yield* handle, "one")
        context.push(yield* handle, "two")
        const unread = chat.page.getByRole("button", { name: "Chat with us (2 unread)" })
        yield* Effect.promise(() => unread.waitFor())
        yield* has("two", "delivered")
        yield* Effect.promise(() => chat.page.reload())
        yield* Effect.promise(() => unread.waitFor())
        expect((yield* has("two", "delivered")).readAt).toBeNull()
        yield* Effect.promise(() => unread.press("Enter"))
        yield* has("one", "read")
        yield* has("two", "read")
        expect(yield* chat.texts).toEqual(["Hello", "one", "two"])
        yield* chat.write("Thanks")
        yield* has("Thanks", "delivered")
      }),
    timeout
  )

  it.scopedLive(
    "stays open or closed over a reload, without taking the focus",
    () =>
      Effect.gen(function* () {
        const { shop, device, context, handle, has } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        yield* chat.write("Hello")
        const to = yield* handle
        yield* Effect.promise(() => chat.page.reload())
        yield* Effect.promise(() => chat.dialog.waitFor())
        yield* chat.shows("Hello")
        expect(yield* Effect.promise(() => chat.field.evaluate((field) => field.matches(":focus")))).toBe(false)
        context.push(to, "Good morning")
        yield* has("Good morning", "read")
        yield* Effect.promise(() => chat.dialog.getByRole("button", { name: "Close the chat" }).click())
        yield* Effect.promise(() => chat.page.reload())
        yield* Effect.promise(() => chat.launcher.waitFor())
        expect(yield* Effect.promise(() => chat.dialog.isVisible())).toBe(false)
      }),
    timeout
  )

  it.scopedLive(
    "shows the time once for messages of one writer that belong together",
    () =>
      Effect.gen(function* () {
        const { shop, device, context, handle } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        yield* chat.write("Hello")
        const to = yield* handle
        const start = 1_790_000_000_000
        const minutes = (n: number) => ({ createdAt: start + n * 60_000 })
        context.push(to, "one", { ...minutes(0), agentId: "7" })
        context.push(to, "two", { ...minutes(4), agentId: "7" })
        context.push(to, "later", { ...minutes(9), agentId: "7" })
        context.push(to, "of another", { ...minutes(10), agentId: "8" })
        yield* chat.shows("of another")
        const shown = Effect.promise(() =>
          chat.log.locator(".message").evaluateAll((all: ReadonlyArray<any>) =>
            all.map((one) => {
              const isShown = (part: string) => one.querySelector(part)?.checkVisibility() ?? false
              return [one.querySelector("p").textContent, isShown(".agent"), isShown("time")]
            })
          )
        )
        const expected = [
          ["Hello", false, true],
          ["one", true, false],
          ["two", false, true],
          ["later", true, true],
          ["of another", true, true]
        ]
        expect(yield* shown).toEqual(expected)
        // In the order of the history too.
        yield* Effect.promise(() => chat.page.reload())
        yield* chat.shows("of another")
        expect(yield* shown).toEqual(expected)
      }),
    timeout
  )

  it.scopedLive(
    "shares one conversation between two pages of a browser",
    () =>
      Effect.gen(function* () {
        const { context: providerContext, shop, device, handle, handles, taken } = yield* setting()
        const context = yield* device
        const one = yield* visit(context, shop)
        yield* one.open
        yield* one.write("from one")
        const other = yield* visit(context, shop)
        yield* other.open
        yield* other.shows("from one")
        yield* other.write("from the other")
        yield* one.shows("from the other")
        providerContext.push(yield* handle, "to both")
        yield* one.shows("to both")
        yield* other.shows("to both")
        const all = ["from one", "from the other", "to both"]
        expect([yield* one.texts, yield* other.texts]).toEqual([all, all])
        expect([handles().length, taken("from one"), taken("from the other")]).toEqual([1, 1, 1])
      }),
    timeout
  )

  it.scopedLive(
    "shares one conversation between two pages that open it at the same time",
    () =>
      Effect.gen(function* () {
        const { shop, device, handles, taken } = yield* setting()
        const context = yield* device
        const one = yield* visit(context, shop)
        const other = yield* visit(context, shop)
        let release = () => {}
        const released = new Promise<void>((resolve) => {
          release = resolve
        })
        yield* Effect.promise(() =>
          other.page.route("**/session", async (route) => {
            const response = await route.fetch()
            await released
            await route.fulfill({ response })
          })
        )
        const requested = other.page.waitForRequest("**/session")
        yield* other.open
        yield* Effect.promise(() => requested)
        yield* one.open
        yield* one.write("from one")
        yield* until("the first page's message arrived", () => taken("from one") || undefined)
        release()
        yield* other.shows("from one")
        yield* other.write("from the other")
        yield* until("the other page's message arrived", () => taken("from the other") || undefined)
        expect(handles()).toHaveLength(1)
      }),
    timeout
  )

  it.scopedLive(
    "fetches earlier messages by page",
    () =>
      Effect.gen(function* () {
        const { context, shop, device, handle } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        yield* chat.write("start")
        for (let n = 0; n < 70; n += 1) context.push(yield* handle, `answer ${n}`)
        yield* chat.shows("answer 69")
        yield* Effect.promise(() => chat.page.reload())
        yield* chat.open
        const earlier = chat.dialog.getByRole("button", { name: "Earlier messages" })
        yield* Effect.promise(() => earlier.click())
        yield* chat.shows("answer 10")
        yield* Effect.promise(() => earlier.click())
        yield* chat.shows("start")
        expect(yield* chat.texts).toEqual(["start", ...Array.from({ length: 70 }, (_, n) => `answer ${n}`)])
        expect(yield* Effect.promise(() => earlier.isVisible())).toBe(false)
      }),
    timeout
  )

  it.scopedLive(
    "recognises a customer on each device, and forgets them on logout",
    () =>
      Effect.gen(function* () {
        let who = `data-customer="42" data-name="Ada" data-signature="${customerSignature(identitySecret, "42")}"`
        const { context, shop, device, handles } = yield* setting({ tag: () => who })
        const laptop = yield* visit(yield* device, shop)
        const phone = yield* visit(yield* device, shop)
        yield* laptop.open
        yield* laptop.write("from the laptop")
        yield* phone.open
        yield* until("it is taken", () => handles()[0])
        expect(context.events).toMatchObject([{ from: "customer:42", displayName: "Ada" }])
        context.push("customer:42", "to both")
        yield* laptop.shows("to both")
        yield* phone.shows("to both")
        who = ""
        yield* Effect.promise(() => phone.page.reload())
        yield* phone.open
        yield* phone.write("another customer")
        yield* until("the second message arrived", () => handles()[1])
        expect(handles()[1]).toMatch(/^visitor:/)
        expect(yield* phone.texts).toEqual(["another customer"])
      }),
    timeout
  )

  it.scopedLive(
    "shows a visitor who logs in the conversation of the customer only",
    () =>
      Effect.gen(function* () {
        let who = ""
        const { context, shop, device, handles } = yield* setting({ tag: () => who })
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        yield* chat.write("as a visitor")
        const visitor = yield* until("it is taken", () => handles()[0])
        who = `data-customer="42" data-signature="${customerSignature(identitySecret, "42")}"`
        yield* Effect.promise(() => chat.page.reload())
        yield* chat.open
        context.push(visitor, "to the visitor")
        context.push("customer:42", "to the customer")
        yield* chat.shows("to the customer")
        expect(yield* chat.texts).toEqual(["to the customer"])
        who = ""
        yield* Effect.promise(() => chat.page.reload())
        yield* chat.open
        yield* chat.write("as another visitor")
        const next = yield* until("the second message arrived", () => handles()[1])
        expect(next).toMatch(/^visitor:/)
        expect(next).not.toBe(visitor)
      }),
    timeout
  )

  it.scopedLive(
    "keeps nothing of a customer for the next one",
    () =>
      Effect.gen(function* () {
        const tagOf = (customer: string) =>
          `data-customer="${customer}" data-signature="${customerSignature(identitySecret, customer)}"`
        let who = tagOf("ada")
        const { shop, device, taken } = yield* setting({ tag: () => who })
        const context = yield* device
        const chat = yield* visit(context, shop)
        const tried: Array<string> = []
        yield* Effect.promise(() =>
          chat.page.route("**/messages", (route) => {
            const body = route.request().postData() ?? ""
            tried.push(body)
            return body.includes("unsent") ? route.abort() : route.continue()
          })
        )
        yield* chat.open
        yield* chat.write("unsent words of Ada")
        yield* until("it was tried", () => tried.find((body) => body.includes("unsent")))
        for (const next of [tagOf("bob"), ""]) {
          who = next
          yield* Effect.promise(() => chat.page.reload())
          tried.length = 0
          const left = "JSON.stringify([{ ...sessionStorage }, { ...localStorage }])"
          const stored = yield* Effect.promise(async () => {
            await chat.page.locator("parley-webchat").waitFor({ state: "attached" })
            return chat.page.evaluate<string>(left)
          })
          expect(stored).not.toMatch(/unsent|:ada/)
          yield* chat.open
          yield* chat.write(`words of the next${next}`)
          yield* until("it arrived", () => taken(`words of the next${next}`) || undefined)
          expect(tried.filter((body) => body.includes("unsent"))).toEqual([])
          expect(yield* chat.texts).toEqual([`words of the next${next}`])
        }
      }),
    timeout
  )

  it.scopedLive(
    "shows a customer's words on their own pages only",
    () =>
      Effect.gen(function* () {
        let customer = "ada"
        const tag = () => `data-customer="${customer}" data-signature="${customerSignature(identitySecret, customer)}"`
        const { context, shop, device, taken } = yield* setting({ tag })
        const laptop = yield* device
        const ada = yield* visit(laptop, shop)
        yield* ada.open
        customer = "bob"
        const bob = yield* visit(laptop, shop)
        yield* bob.open
        yield* ada.write("words of Ada")
        yield* until("it arrived", () => taken("words of Ada") || undefined)
        context.push("customer:bob", "to Bob")
        yield* bob.shows("to Bob")
        expect(yield* bob.texts).toEqual(["to Bob"])
        expect(yield* ada.texts).toEqual(["words of Ada"])
      }),
    timeout
  )

  it.scopedLive(
    "does nothing on a site that is not allowed",
    () =>
      Effect.gen(function* () {
        const { context, shop, device } = yield* setting({ allowed: false })
        const chat = yield* visit(yield* device, shop)
        yield* chat.open
        yield* Effect.promise(() => chat.dialog.getByText("No connection. Trying again…").waitFor())
        yield* chat.write("Hello?")
        yield* Effect.promise(() => chat.log.getByText("Sending…").waitFor())
        expect(context.events).toEqual([])
      }),
    timeout
  )

  it.scopedLive(
    "speaks the language of the browser or of the page, with the connection's words",
    () =>
      Effect.gen(function* () {
        let tag = ""
        const { config, shop, deviceWith } = yield* setting({ tag: () => tag })
        const visitIn = (locale: string) => Effect.flatMap(deviceWith({ locale }), (device) => visit(device, shop))
        const german = yield* visitIn("de-AT")
        yield* Effect.promise(() => german.page.getByRole("button", { name: "Chat öffnen" }).click())
        yield* Effect.promise(() => german.dialog.getByRole("button", { name: "Senden" }).waitFor())
        expect(yield* findingsOf(german.page)).toEqual([])
        const other = yield* visitIn("sv-SE")
        yield* Effect.promise(() => other.launcher.waitFor())
        tag = 'data-language="ar-EG"'
        config.labels = { send: "Los" }
        const arabic = yield* visitIn("de-AT")
        yield* Effect.promise(() => arabic.page.getByRole("button", { name: "تحدث معنا" }).click())
        const send = arabic.dialog.getByRole("button", { name: "Los" })
        // The text field is at the right of the button, and the panel at the left of the page.
        const [field, button, panel] = yield* Effect.promise(() =>
          Promise.all([arabic.dialog.getByRole("textbox"), send, arabic.dialog].map((one) => one.boundingBox()))
        )
        expect(field?.x).toBeGreaterThan(button?.x ?? Number.NaN)
        expect(panel?.x).toBe(20)
        expect(yield* findingsOf(arabic.page)).toEqual([])
      }),
    timeout
  )

  it.scopedLive(
    "fills a phone's screen, and works by keyboard alone",
    () =>
      Effect.gen(function* () {
        const { shop, device, taken } = yield* setting()
        const chat = yield* visit(yield* device, shop)
        yield* Effect.promise(() => chat.page.setViewportSize({ width: 320, height: 568 }))
        yield* Effect.promise(async () => {
          await chat.launcher.waitFor()
          await chat.page.keyboard.press("Tab")
          await chat.page.keyboard.press("Enter")
        })
        expect(yield* Effect.promise(() => chat.dialog.boundingBox())).toEqual({ x: 0, y: 0, width: 320, height: 568 })
        yield* Effect.promise(async () => {
          await chat.page.keyboard.type("one line")
          await chat.page.keyboard.press("Shift+Enter")
          await chat.page.keyboard.type("and another")
          await chat.page.keyboard.press("Tab")
          await chat.page.keyboard.press("Enter")
        })
        yield* until("it is taken", () => (taken("one line\nand another") === 1 ? true : undefined))
        yield* Effect.promise(() => chat.page.keyboard.press("Escape"))
        expect(yield* Effect.promise(() => chat.dialog.isVisible())).toBe(false)
      }),
    timeout
  )

  it.scopedLive(
    "is accessible, closed and open, in light and in dark",
    () =>
      Effect.gen(function* () {
        const { context, shop, device, handles, server } = yield* setting()
        for (const colorScheme of ["light", "dark"] as const) {
          const chat = yield* visit(yield* device, shop)
          yield* Effect.promise(() => chat.page.emulateMedia({ colorScheme }))
          yield* Effect.promise(() => chat.launcher.waitFor())
          expect(yield* findingsOf(chat.page)).toEqual([])
          yield* chat.open
          yield* chat.write(`Hello in ${colorScheme}`)
          const to = yield* until("it arrived", () => handles()[colorScheme === "light" ? 0 : 1])
          context.files.set("7", { contentType: "image/png", bytes: png })
          const id = `fox-${colorScheme}`
          context.files.set(id, { contentType: "image/png", bytes: png })
          const file = { id, type: "image" as const, contentType: "image/png", fileName: "fox.png", size: png.length }
          const document = { ...file, type: "document" as const, contentType: "application/pdf", fileName: "fox.pdf" }
          context.push(to, "See https://shop.example", { agentId: "7", type: "media", attachments: [file, document] })
          const option = (id: string) => ({ id, title: `Size ${id}`, description: "Fits" })
          const options = [option("S"), option("M")]
          context.push(to, "Which size?", { type: "choices", content: { type: "choices", button: null, options } })
          yield* chat.shows("Which size?")
          const [first] = context.stored(to)
          context.push(to, "In blue", { envelope: first ? quoting(first) : null })
          yield* chat.shows("In blue")
          yield* Effect.promise(() => chat.log.getByRole("button", { name: "Reply" }).last().click())
          const refused = [{ name: "page.html", mimeType: "text/html", buffer: Buffer.from("<p>") }]
          yield* Effect.promise(() => chat.dialog.locator("input[type=file]").setInputFiles(refused))
          expect(yield* findingsOf(chat.page)).toEqual([])
          yield* server.stop
          yield* Effect.promise(() => chat.dialog.getByText("No connection. Trying again…").waitFor())
          yield* chat.write("Anyone?")
          expect(yield* findingsOf(chat.page)).toEqual([])
          yield* server.start
          yield* Effect.promise(() => chat.page.close())
        }
      }),
    timeout
  )

  it.scopedLive(
    "has readable text in all its parts, in light and in dark, on light and dark accent colours",
    () =>
      Effect.gen(function* () {
        const { config, context, shop, device, handles, taken } = yield* setting()
        const accents = ["#0b57d0", "#000000", "#7a1f1f", "#757575", "#7c7c7c", "#ffd400", "#c8f7dc", "#ffffff"]
        for (const [n, accent] of accents.entries()) {
          config.accent_color = accent
          const chat = yield* visit(yield* device, shop)
          yield* chat.open
          yield* chat.write(`question ${n}`)
          yield* until("it is taken", () => (taken(`question ${n}`) === 1 ? true : undefined))
          const to = handles().at(-1) ?? ""
          const [first] = context.stored(to)
          context.push(to, `reply ${n}`, { envelope: first ? quoting(first) : null })
          yield* chat.shows(`reply ${n}`)
          const own = chat.log.locator("p").getByText(`question ${n}`, { exact: true })
          const reply = chat.log.getByText(`reply ${n}`, { exact: true })
          const parts = {
            own,
            reply,
            greeting: chat.dialog.getByText("What can we do for you?"),
            time: chat.log.locator("time").first(),
            quote: chat.log.locator("blockquote"),
            title: chat.dialog.getByRole("heading"),
            send: chat.dialog.getByRole("button", { name: "Send" }),
            field: chat.field,
            launcher: chat.page.locator(".launcher")
          }
          const hasContrastIn = (scheme: "light" | "dark") =>
            Effect.gen(function* () {
              yield* Effect.promise(() => chat.page.emulateMedia({ colorScheme: scheme }))
              for (const [part, located] of Object.entries(parts)) {
                const { text, background } = yield* coloursOf(located)
                expect(
                  contrastRatio(text, background),
                  `${part} on ${accent} in ${scheme}: ${text} on ${background}`
                ).toBeGreaterThanOrEqual(4.5)
              }
            })
          yield* hasContrastIn("dark")
          expect(rgbOf((yield* coloursOf(reply)).background)).toEqual(rgbOf("#303236"))
          yield* hasContrastIn("light")
          expect(rgbOf((yield* coloursOf(own)).background)).toEqual(rgbOf(accent))
          expect(rgbOf((yield* coloursOf(reply)).background)).toEqual(rgbOf("#eef0f2"))
          yield* Effect.promise(() => chat.page.close())
        }
      }),
    timeout
  )
})
