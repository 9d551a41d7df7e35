import { expect, layer } from "@effect/vitest"
import {
  aMessengerPage,
  aWhatsAppBusiness,
  type FakeMessenger,
  type FakeWhatsApp,
  fakeMessenger,
  fakeWhatsApp,
  messengerCustomers
} from "@parley/testkit"
import { Context, Effect, Layer } from "effect"
import { adminToken, hostOf } from "./hostOf.js"
import { runParley } from "./runParley.js"

const business = aWhatsAppBusiness()
const page = aMessengerPage()

class Host extends Context.Tag("test/Host")<
  Host,
  { readonly meta: FakeWhatsApp; readonly messenger: FakeMessenger; readonly where: ReadonlyArray<string> }
>() {}

const host = Layer.scoped(
  Host,
  Effect.gen(function* () {
    const meta = yield* fakeWhatsApp(business)
    const messenger = yield* fakeMessenger(page)
    return { meta, messenger, where: ["--server", yield* hostOf(meta, messenger.url), "--token", adminToken] }
  })
)

const run = (...command: ReadonlyArray<string>) =>
  Effect.flatMap(Host, ({ where }) => runParley([...command, ...where]))
const one = (...command: ReadonlyArray<string>) =>
  Effect.map(run(...command, "--json"), ({ code, errors, output }) => {
    expect([command, code, errors]).toEqual([command, 0, ""])
    return JSON.parse(output)
  })

const connect = (channel: string, handle: string, settings: { readonly [name: string]: string }) =>
  Effect.gen(function* () {
    const { id } = yield* one("workspace", "create", "Acme")
    const set = Object.entries(settings).flatMap(([name, value]) => ["--set", `${name}=${value}`])
    return String((yield* one("connection", "add", channel, handle, "--workspace", id, ...set)).id)
  })

layer(host, { excludeTestServices: true, timeout: 60_000 })("parley connection import-history", (it) => {
  it.effect("imports all pages, and goes on where it stopped", () =>
    Effect.gen(function* () {
      const { messenger } = yield* Host
      const [customer] = messengerCustomers.facebook
      const id = yield* connect("facebook", "Shop", {
        ...{ page_id: page.pageId, page_access_token: page.accessToken },
        ...{ app_secret: page.appSecret, verify_token: "made-up" }
      })
      messenger.conversations.messenger.push(
        ...["1", "2", "3"].map((number) => ({
          id: `t_${number}`,
          messages: [
            {
              ...{ id: `m_${number}`, created_time: "2022-07-12T19:11:07+0000", message: "Hi" },
              ...{ from: { id: `${customer}${number}` }, to: { data: [{ id: page.pageId }] } }
            }
          ]
        }))
      )
      const all = yield* run("connection", "import-history", id)
      expect(all.code).toBe(0)
      expect(all.output).toMatch(/^imported +3$/m)
      expect(yield* one("connection", "import-history", id)).toEqual({ imported: 0, known: 3, detail: null })

      messenger.refuseNext({ code: 2, status: 500 })
      const stopped = yield* run("connection", "import-history", id, "--cursor", "2")
      expect([stopped.code, stopped.errors]).toEqual([
        1,
        expect.stringContaining(`Go on with: parley connection import-history ${id} --cursor 2`)
      ])
      expect(yield* one("connection", "import-history", id, "--cursor", "2")).toMatchObject({ known: 1 })
    })
  )

  it.effect("asks WhatsApp, and says that the messages come later", () =>
    Effect.gen(function* () {
      const { meta } = yield* Host
      const id = yield* connect("whatsapp", "+15550001111", {
        ...{ phone_number_id: business.phoneNumberId, access_token: business.accessToken },
        ...{ app_secret: business.appSecret, verify_token: "made-up" }
      })
      const requested = yield* one("connection", "import-history", id)
      expect(requested).toEqual({ imported: 0, known: 0, detail: expect.stringContaining("arrive at the webhook") })
      expect(meta.synced).toEqual(["history"])
      const again = yield* run("connection", "import-history", id)
      expect([again.code, again.errors]).toEqual([1, expect.stringContaining("WhatsApp sends the history once")])
    })
  )
})
