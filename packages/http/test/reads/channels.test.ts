import { expect, layer } from "@effect/vitest"
import { type Channel, type Connection, row } from "@parley/core"
import { databases } from "@parley/testkit/databases"
import { aConnection } from "@parley/testkit/rows"
import { Effect } from "effect"
import { column, newApplication, newId, newShop, readAllPages, type Shop, serveReads, write } from "./serveReads.js"

const make = (shop: Shop, ...all: ReadonlyArray<Partial<Connection>>) =>
  Effect.gen(function* () {
    const made = yield* Effect.forEach(all, (parts) =>
      Effect.map(newId(), (id) => aConnection({ id, workspaceId: shop.workspaceId, handle: id, ...parts }))
    )
    yield* write(
      shop.workspaceId,
      made.map((connection) => row("connections", connection))
    )
    return made
  })
/** Reads as an application with these connections on its allow-list. */
const as = (shop: Shop, connections: ReadonlyArray<Connection>) =>
  Effect.map(
    newApplication(shop.workspaceId, { scopes: [], connectionIds: connections.map(({ id }) => id) }),
    ({ key }) =>
      (path: string) =>
        shop.getAs(key, path)
  )

for (const [name, storage] of databases) {
  layer(serveReads(storage), { excludeTestServices: true })(`the list of channels on ${name}`, (it) => {
    it.effect("has every field, and requires no scope", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const get = yield* as(shop, [shop.whatsapp, shop.email])
        const sizes = (mebibytes: number) => {
          const bytes = mebibytes * 1_048_576
          return { bytes, bytes_by_type: { image: bytes, video: bytes, audio: bytes, document: bytes } }
        }
        const content = (files: object) => ({
          receives: expect.arrayContaining(["text", "media", "choice"]),
          types: expect.arrayContaining(["text"]),
          files: { types: null, ...files },
          location_urls: false,
          reactions: null,
          quotes: true,
          typing: false,
          read_marks: false
        })
        const lengths = { title_length: 20, id_length: 200, description_length: 72, button_length: 20 }
        const choices = { options: 10, question_length: null, ...lengths }
        const window = { text_max_length: 4096, templates: true, service_window_hours: 24, read_receipts: true }
        const mail = { text_max_length: null, templates: true, service_window_hours: null, read_receipts: false }
        expect((yield* get("/channels")).json).toEqual({
          data: [
            {
              id: shop.whatsapp.id,
              channel: "whatsapp",
              name: "Front desk",
              handle: shop.whatsapp.handle,
              status: "active",
              is_test: true,
              capabilities: {
                ...window,
                ...content({ ...sizes(16), count: 1, per_send: 10, caption_length: 1_024 }),
                ...{ choices, delivery_receipts: true }
              }
            },
            {
              id: shop.email.id,
              channel: "email",
              name: "Post",
              handle: "post@shop.example",
              status: "active",
              is_test: true,
              capabilities: {
                ...mail,
                ...content({ ...sizes(15), count: 5, per_send: 5, caption_length: null }),
                ...{ choices: null, delivery_receipts: true }
              }
            }
          ],
          meta: { current_page: 1, per_page: 25, total: 2, last_page: 1 },
          links: { next: null, prev: null }
        })
      })
    )

    it.effect("is exactly the allow-list, whatever a connection's status", () =>
      Effect.gen(function* () {
        const [shop, foreign] = [yield* newShop, yield* newShop]
        const made = yield* make(
          shop,
          { name: "d", status: "paused" },
          { name: "b", status: "disconnected" },
          { name: "c", status: "active" },
          { name: "a" }
        )
        const get = yield* as(shop, [...made.slice(0, 3), foreign.whatsapp])
        const answer = yield* get("/channels")
        expect(column(answer, "name")).toEqual(["b", "c", "d"])
        expect(column(answer, "status")).toEqual(["disconnected", "active", "paused"])
        expect((yield* (yield* as(shop, []))("/channels")).json.data).toEqual([])
      })
    )

    it.effect("contains the capabilities of each channel", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const channels: ReadonlyArray<Channel> = ["email", "facebook", "instagram", "telegram", "webchat", "whatsapp"]
        const made = yield* make(shop, ...channels.map((channel) => ({ channel, name: channel })))
        const { json } = yield* (yield* as(shop, made))("/channels")
        const hours = json.data.map((one: any) => [one.channel, one.capabilities.service_window_hours])
        expect(Object.fromEntries(hours)).toEqual({
          email: null,
          facebook: 24,
          instagram: 24,
          telegram: null,
          webchat: null,
          whatsapp: 24
        })
      })
    )

    it.effect("reports no capabilities if the provider is not present", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const made = yield* make(shop, { provider: "carrier_pigeon" })
        const { json } = yield* (yield* as(shop, made))("/channels")
        expect(json.data[0].capabilities).toEqual({
          ...{ types: ["text"], receives: ["text"], choices: null, files: null, quotes: false },
          ...{ location_urls: false, reactions: null, typing: false, read_marks: false },
          text_max_length: null,
          templates: false,
          delivery_receipts: false,
          read_receipts: false,
          service_window_hours: null
        })
      })
    )

    it.effect("fits on one page, unless smaller pages are requested", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const names = Array.from({ length: 30 }, (_, n) => `line ${String(n % 20).padStart(2, "0")}`)
        const made = yield* make(shop, ...names.map((name) => ({ name })))
        const expected = [...made].sort((a, b) => (a.name + a.id < b.name + b.id ? -1 : 1)).map(({ id }) => id)
        const get = yield* as(shop, made)
        const whole = yield* get("/channels")
        expect(column(whole, "id")).toEqual(expected)
        expect(whole.json.meta).toEqual({ current_page: 1, per_page: 30, total: 30, last_page: 1 })
        const pages = yield* readAllPages(get, "/channels?per_page=13")
        expect(pages.flatMap((page) => column(page, "id"))).toEqual(expected)
        expect(pages.map(({ json }) => json.data.length)).toEqual([13, 13, 4])
        const beyond = yield* get("/channels?page=2")
        expect([beyond.json.data, beyond.json.meta.current_page]).toEqual([[], 2])
        const refused = yield* get("/channels?page=0&per_page=101")
        expect([refused.status, Object.keys(refused.json.error.details).sort()]).toEqual([422, ["page", "per_page"]])
      })
    )
  })
}
