import { createHmac } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { browser, browserMissing, visit } from "../../../packages/channel-webchat/test/browser.js"
import { site } from "../../../packages/channel-webchat/test/site.js"
import { png } from "../../../packages/channel-webchat/test/visits.js"
import type { DemoFile } from "../src/demo/DemoFile.js"
import { callAdmin, callApi, messageOf, type Sent } from "./calls.js"
import { databases } from "./databases.js"
import { serveDemo, temporaryFolder } from "./processes.js"
import { until } from "./until.js"

const why = browserMissing === null ? "" : ` (skipped: ${browserMissing})`

const identitySecret = "a secret of the shop and its chat"
const signature = createHmac("sha256", identitySecret).update("42").digest("hex")

/** A web chat of the demo's workspace, on which its application may send, for the pages of a site. */
const connect = (demo: DemoFile, shop: string) =>
  Effect.gen(function* () {
    const { id } = (yield* callAdmin(demo, "POST", "/connections", {
      workspace_id: demo.workspace_id,
      channel: "webchat",
      provider: "webchat",
      name: "Shop",
      handle: "shop.example",
      is_test: true,
      config: { allowed_origins: [shop] },
      credentials: { identity_secret: identitySecret }
    })) as { readonly id: string }
    const connection_ids = [...Object.values(demo.connections), id]
    yield* callAdmin(demo, "PATCH", `/applications/${demo.application_id}`, { connection_ids })
    return id
  })

/** Sends a text to the customer until the host takes it. */
const send = (demo: DemoFile, connectionId: string, body: string): Effect.Effect<string> =>
  until(`"${body}" is taken`, async () => {
    const text = { channel: "webchat", to: "customer:42", type: "text", connection_id: connectionId, message: { body } }
    const answer: Sent = await callApi(demo, "/messages", {
      method: "POST",
      headers: { "idempotency-key": body },
      body: JSON.stringify(text)
    })
    return answer.status === 202 ? answer.body.data.message_id : undefined
  })

const isRead = (demo: DemoFile, id: string) =>
  until("it is read", async () => ((await messageOf(demo, id)).status === "read" ? true : undefined))

interface Received {
  readonly id: string
  readonly conversation_id: string
  readonly direction: string
  readonly body: string
  readonly attachments: ReadonlyArray<{ readonly url: string }>
}

/** The messages of customers on a connection, oldest first. */
const receivedOn = async (demo: DemoFile, connectionId: string): Promise<ReadonlyArray<Received>> => {
  type Page = { readonly data: ReadonlyArray<Received> }
  const conversations = (await callApi<Page>(demo, `/conversations?connection_id=${connectionId}`)).body.data
  const messages = await Promise.all(
    conversations.map(
      async ({ id }) => (await callApi<Page>(demo, `/conversations/${id}/messages?limit=100`)).body.data
    )
  )
  return messages
    .flat()
    .filter(({ direction }) => direction === "inbound")
    .reverse()
}

/** What customers wrote on a connection, oldest first. */
const written = async (demo: DemoFile, connectionId: string): Promise<ReadonlyArray<string>> =>
  (await receivedOn(demo, connectionId)).map(({ body }) => body)

for (const [name, settings] of databases) {
  describe.skipIf(browserMissing !== null)(`a web chat on ${name}${why}`, () => {
    it.scopedLive(
      "sends, receives and reads messages, and survives a crash of the host",
      () =>
        Effect.gen(function* () {
          const folder = yield* temporaryFolder
          const environment = yield* settings
          const first = yield* serveDemo(folder, environment)
          let chatUrl = ""
          const tag = `data-customer="42" data-name="Ada" data-signature="${signature}"`
          const shop = yield* site(
            () => chatUrl,
            () => tag
          )
          const connectionId = yield* connect(first.demo, shop)
          chatUrl = `${first.url}/inbound/${connectionId}`

          const chromium = yield* browser
          const context = yield* Effect.promise(() => chromium.newContext())
          const chat = yield* visit(context, shop)
          const other = yield* visit(context, shop)
          yield* chat.open
          yield* chat.write("Is there a blue one?")
          yield* until("it is taken", async () => (await written(first.demo, connectionId)).at(0))
          const answer = yield* send(first.demo, connectionId, "There is.")
          yield* chat.shows("There is.")
          yield* isRead(first.demo, answer)
          expect(chat.troubles).toEqual([])

          first.signal("SIGKILL")
          yield* first.exit
          yield* Effect.promise(() => chat.dialog.getByText("No connection. Trying again…").waitFor())
          yield* chat.write("Still there?")
          const second = yield* serveDemo(folder, { ...environment, PARLEY_PORT: new URL(first.url).port })
          const sent: Array<string> = []
          for (let n = 0; n < 12; n += 1) sent.push(yield* send(second.demo, connectionId, `meanwhile ${n}`))
          yield* chat.shows("meanwhile 11")
          yield* until("it is taken", async () => (await written(second.demo, connectionId)).at(1))
          for (const id of sent) yield* isRead(second.demo, id)

          const answers = ["There is.", ...sent.map((_, n) => `meanwhile ${n}`)]
          const own = ["Is there a blue one?", "Still there?"]
          const isOwn = (text: string) => own.includes(text)
          yield* other.open
          yield* other.shows("meanwhile 11")
          for (const { texts } of [chat, other]) {
            expect((yield* texts).filter((text) => !isOwn(text))).toEqual(answers)
            expect((yield* texts).filter(isOwn)).toEqual(own)
          }
          expect(yield* Effect.promise(() => written(second.demo, connectionId))).toEqual(own)

          second.signal("SIGTERM")
          expect(yield* second.exit).toBe(0)
        }),
      300_000
    )

    it.scopedLive(
      "stores a visitor's file, shows it to visitor and application, and shows typing",
      () =>
        Effect.gen(function* () {
          const { demo, url } = yield* serveDemo(yield* temporaryFolder, yield* settings)
          let chatUrl = ""
          const shop = yield* site(() => chatUrl)
          const connectionId = yield* connect(demo, shop)
          chatUrl = `${url}/inbound/${connectionId}`
          const chromium = yield* browser
          const chat = yield* visit(yield* Effect.promise(() => chromium.newContext()), shop)
          yield* chat.open
          const file = { name: "fox.png", mimeType: "image/png", buffer: Buffer.from(png) }
          yield* Effect.promise(() => chat.dialog.locator("input[type=file]").setInputFiles([file]))
          const image = chat.log.getByRole("img", { name: "fox.png" })
          yield* until("the image is shown", () =>
            image.evaluate((shown: any) => shown.naturalWidth === 1 || undefined).catch(() => undefined)
          )
          const [message] = yield* Effect.promise(() => receivedOn(demo, connectionId))
          expect(message).toMatchObject({ type: "media", body: "" })
          const [attachment] = message?.attachments ?? []
          expect(attachment).toMatchObject({ content_type: "image/png", file_name: "fox.png", size: png.length })
          const stored = yield* Effect.promise(async () => (await fetch(attachment?.url ?? "")).arrayBuffer())
          expect(Buffer.from(stored).equals(png)).toBe(true)
          yield* until("the page gets the signal", async () => {
            const path = `/conversations/${message?.conversation_id}/typing`
            const signal = await callApi<{ readonly data: { readonly taken: boolean } }>(demo, path, { method: "POST" })
            return signal.body.data.taken || undefined
          })
          yield* Effect.promise(() => chat.dialog.getByText("Typing…").waitFor())
          expect(chat.troubles).toEqual([])
        }),
      300_000
    )

    it.scopedLive(
      "refuses pages of another site",
      () =>
        Effect.gen(function* () {
          const { demo, url } = yield* serveDemo(yield* temporaryFolder, yield* settings)
          const connectionId = yield* connect(demo, "https://shop.example")
          const shop = yield* site(() => `${url}/inbound/${connectionId}`)
          const chromium = yield* browser
          const chat = yield* visit(yield* Effect.promise(() => chromium.newContext()), shop)
          yield* chat.open
          yield* chat.write("Hello?")
          yield* Effect.promise(() => chat.dialog.getByText("No connection. Trying again…").waitFor())
          expect(yield* Effect.promise(() => written(demo, connectionId))).toEqual([])
        }),
      300_000
    )
  })
}
