import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import type { ChannelProvider, OutboundFile } from "@parley/core"
import { Deferred, Effect, Fiber, Stream, TestClock, TestServices } from "effect"
import { whatsapp } from "../src/index.js"
import { accountOf } from "./account.js"
import { aMessage, business, now, opened } from "./opened.js"

describe("send", () => {
  it.scopedLive("sends a text to a phone number", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const outcome = yield* provider.send(account.connection, account.credentials, aMessage(), now)
      expect(outcome).toEqual({ _tag: "Accepted", providerMessageId: vendor.taken[0]?.id, receipts: [] })
      expect(vendor.taken[0]?.message).toEqual({
        messaging_product: "whatsapp",
        recipient_type: "individual",
        to: "+491511234567",
        type: "text",
        text: { body: "Hello", preview_url: false },
        biz_opaque_callback_data: "01900000-0000-7000-8000-000000000001"
      })
    })
  )

  it.scopedLive("sends to a business-scoped id instead of a number", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      yield* provider.send(account.connection, account.credentials, aMessage({ to: "US.1349" }), now)
      expect(vendor.taken[0]?.message).toMatchObject({ recipient: "US.1349" })
      expect(vendor.taken[0]?.message).not.toHaveProperty("to")
    })
  )

  it.scopedLive("fills a template's body with its variables, and omits the components without variables", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      vendor.templates.push({
        name: "hello",
        language: "de",
        status: "APPROVED",
        category: "UTILITY",
        components: [{ type: "BODY", text: "Hallo" }]
      })
      for (const template of [
        { name: "order_ready", language: "en_US", variables: ["Ada", "4711"] },
        { name: "hello", language: "de", variables: [] }
      ]) {
        const message = aMessage({ template, body: "rendered" })
        expect((yield* provider.send(account.connection, account.credentials, message, now))._tag).toBe("Accepted")
      }
      expect(vendor.taken.map(({ message }) => message)).toMatchObject([
        {
          type: "template",
          template: {
            name: "order_ready",
            language: { code: "en_US" },
            components: [
              {
                type: "body",
                parameters: [
                  { type: "text", text: "Ada" },
                  { type: "text", text: "4711" }
                ]
              }
            ]
          }
        },
        { type: "template", template: { name: "hello", language: { code: "de" } } }
      ])
      expect(vendor.taken[1]?.message).not.toHaveProperty("template.components")
    })
  )

  it.scopedLive("fills header, named slots and buttons of a template", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      vendor.templates.push({
        name: "voucher",
        language: "de",
        status: "APPROVED",
        category: "MARKETING",
        parameter_format: "NAMED",
        components: [
          { type: "HEADER", format: "IMAGE" },
          { type: "BODY", text: "Hallo {{first_name}}" },
          {
            type: "BUTTONS",
            buttons: [
              { type: "QUICK_REPLY", text: "Stop" },
              { type: "URL", text: "Shop", url: "https://shop.example/{{1}}" },
              { type: "COPY_CODE", text: "Copy" }
            ]
          }
        ]
      })
      const message = aMessage({
        template: { name: "voucher", language: "de", variables: ["Ada"] },
        body: "Hallo Ada",
        files: [
          {
            type: "image",
            contentType: "image/png",
            fileName: "cake.png",
            size: 3,
            url: null,
            bytes: Stream.make(new Uint8Array(3))
          }
        ],
        content: {
          type: "template",
          header: null,
          buttons: [
            { index: 1, type: "url", value: "sale" },
            { index: 2, type: "code", value: "25OFF" }
          ],
          names: ["first_name"]
        }
      })
      expect((yield* provider.send(account.connection, account.credentials, message, now))._tag).toBe("Accepted")
      expect(vendor.taken[0]?.message).toMatchObject({
        template: {
          components: [
            { type: "header", parameters: [{ type: "image", image: { id: expect.any(String) } }] },
            { type: "body", parameters: [{ type: "text", parameter_name: "first_name", text: "Ada" }] },
            { type: "button", sub_type: "url", index: "1", parameters: [{ type: "text", text: "sale" }] },
            {
              type: "button",
              sub_type: "copy_code",
              index: "2",
              parameters: [{ type: "coupon_code", coupon_code: "25OFF" }]
            }
          ]
        }
      })
    })
  )

  const noValues = { type: "template" as const, header: null, buttons: [], names: null }

  it.scopedLive("sends a file as the header of the template wants it", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const template = { name: "news", language: "de", variables: [] }
      const components = [
        { type: "HEADER", format: "IMAGE" },
        { type: "BODY", text: "Neu" }
      ]
      vendor.templates.push({ ...template, status: "APPROVED", category: "MARKETING", components })
      const bytes = Stream.make(new Uint8Array(3))
      const file = { type: "image", contentType: "image/webp", fileName: null, size: 3, url: null, bytes } as const
      const message = aMessage({ template, files: [file] })
      expect((yield* provider.send(account.connection, account.credentials, message, now))._tag).toBe("Accepted")
      expect(vendor.taken[0]?.message).toMatchObject({
        template: { components: [{ type: "header", parameters: [{ type: "image" }] }] }
      })
    })
  )

  it.scopedLive("takes audio and video of 16 MiB, and other files that fit into its uploads", () =>
    Effect.gen(function* () {
      const { account } = yield* opened()
      const { capabilities, maxConcurrentSends } = whatsapp()
      const { files } = capabilities(account.connection)
      expect(files?.bytesByType).toEqual({ video: 16 * 1_048_576, audio: 16 * 1_048_576 })
      const document = { id: "", type: "document", contentType: "application/pdf", fileName: null } as const
      const attachments = [{ ...document, size: files?.bytes ?? 0 }]
      expect(maxConcurrentSends?.(account.connection, { attachments })).toBe(1)
    })
  )

  it.scopedLive("sends files of every declared type, and declares none that Meta refuses", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const types = whatsapp().capabilities(account.connection).files?.types ?? []
      for (const contentType of types) {
        const bytes = Stream.make(new Uint8Array(3))
        const file = { type: "document", contentType, fileName: null, size: 3, url: null, bytes } as const
        const sent = yield* provider.send(account.connection, account.credentials, aMessage({ files: [file] }), now)
        expect([contentType, sent._tag]).toEqual([contentType, "Accepted"])
      }
      expect(vendor.taken.length).toBe(types.length)
      expect(types).toContain("application/pdf")
      for (const refused of ["image/gif", "text/csv", "application/zip"]) expect(types).not.toContain(refused)
    })
  )

  it.scopedLive("names the slot in the text of a header", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const template = { name: "order", language: "de" }
      vendor.templates.push({
        ...template,
        status: "APPROVED",
        category: "UTILITY",
        parameter_format: "NAMED",
        components: [
          { type: "HEADER", format: "TEXT", text: "Order {{order}}" },
          { type: "BODY", text: "Thanks" }
        ]
      })
      const content = { ...noValues, header: "1042", slot: "order" }
      const message = aMessage({ template: { ...template, variables: [] }, content })
      expect((yield* provider.send(account.connection, account.credentials, message, now))._tag).toBe("Accepted")
      expect(vendor.taken[0]?.message).toMatchObject({
        template: {
          components: [{ type: "header", parameters: [{ type: "text", parameter_name: "order", text: "1042" }] }]
        }
      })
    })
  )

  it.scopedLive("sends a template with a catalogue without a value for its button", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      vendor.templates.push({
        name: "catalogue",
        language: "en",
        status: "APPROVED",
        category: "MARKETING",
        components: [
          { type: "BODY", text: "New: {{1}}" },
          { type: "BUTTONS", buttons: [{ type: "CATALOG", text: "View catalog" }] }
        ]
      })
      const template = { name: "catalogue", language: "en", variables: ["rye"] }
      const outcome = yield* provider.send(account.connection, account.credentials, aMessage({ template }), now)
      expect(outcome._tag).toBe("Accepted")
      expect(vendor.taken[0]?.message).toMatchObject({
        template: { components: [{ type: "body", parameters: [{ type: "text", text: "rye" }] }] }
      })
    })
  )

  it.scopedLive("names the product whose image heads the message of a catalogue", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const buttons = [{ type: "CATALOG", text: "View catalog" }]
      const components = [
        { type: "BODY", text: "New" },
        { type: "BUTTONS", buttons }
      ]
      const template = { name: "catalogue", language: "en" }
      vendor.templates.push({ ...template, status: "APPROVED", category: "MARKETING", components })
      const content = { ...noValues, products: { index: 0, thumbnail: "rye", sections: [] } }
      const message = aMessage({ template: { ...template, variables: [] }, content })
      expect((yield* provider.send(account.connection, account.credentials, message, now))._tag).toBe("Accepted")
      const action = { thumbnail_product_retailer_id: "rye" }
      expect(vendor.taken[0]?.message).toMatchObject({
        template: {
          components: [{ type: "button", sub_type: "CATALOG", index: "0", parameters: [{ type: "action", action }] }]
        }
      })
    })
  )

  it.scopedLive("sends the products of a template in sections", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const buttons = [{ type: "MPM", text: "View items" }]
      const components = [
        { type: "BODY", text: "New" },
        { type: "BUTTONS", buttons }
      ]
      const template = { name: "bread", language: "en" }
      vendor.templates.push({ ...template, status: "APPROVED", category: "MARKETING", components })
      const sections = [
        { title: "Dark", items: ["rye", "spelt"] },
        { title: "Light", items: ["wheat"] }
      ]
      const content = { ...noValues, products: { index: 0, thumbnail: "rye", sections } }
      const message = aMessage({ template: { ...template, variables: [] }, content })
      expect((yield* provider.send(account.connection, account.credentials, message, now))._tag).toBe("Accepted")
      const action = {
        thumbnail_product_retailer_id: "rye",
        sections: [
          { title: "Dark", product_items: [{ product_retailer_id: "rye" }, { product_retailer_id: "spelt" }] },
          { title: "Light", product_items: [{ product_retailer_id: "wheat" }] }
        ]
      }
      expect(vendor.taken[0]?.message).toMatchObject({
        template: {
          components: [{ type: "button", sub_type: "mpm", index: "0", parameters: [{ type: "action", action }] }]
        }
      })
    })
  )

  it.scopedLive("uploads the files of a carousel and fills its cards", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const buttons = [
        { type: "QUICK_REPLY", text: "More" },
        { type: "URL", text: "Buy", url: "https://shop.example/{{1}}" }
      ]
      const card = (format: string) => ({
        components: [
          { type: "HEADER", format },
          { type: "BODY", text: "Only {{1}}" },
          { type: "BUTTONS", buttons }
        ]
      })
      const template = { name: "carousel", language: "en" }
      vendor.templates.push({
        ...template,
        status: "APPROVED",
        category: "MARKETING",
        components: [
          { type: "BODY", text: "New for {{1}}" },
          { type: "CAROUSEL", cards: [card("IMAGE"), card("VIDEO")] }
        ]
      })
      const file = (type: "image" | "video", contentType: string, size: number) => ({
        ...{ type, contentType, fileName: null, size, url: null },
        bytes: Stream.make(new Uint8Array(size))
      })
      const valued = (price: string, id: string) => ({
        variables: [price],
        names: null,
        buttons: [
          { index: 0, type: "reply" as const, value: `more-${id}` },
          { index: 1, type: "url" as const, value: id }
        ]
      })
      const message = aMessage({
        template: { ...template, variables: ["Ada"] },
        files: [file("image", "image/png", 3), file("video", "video/mp4", 4)],
        content: { ...noValues, cards: [valued("3 €", "rye"), valued("4 €", "spelt")] }
      })
      expect((yield* provider.send(account.connection, account.credentials, message, now))._tag).toBe("Accepted")
      const components = (file: object, price: string, id: string) => [
        { type: "header", parameters: [file] },
        { type: "body", parameters: [{ type: "text", text: price }] },
        {
          type: "button",
          sub_type: "quick_reply",
          index: "0",
          parameters: [{ type: "payload", payload: `more-${id}` }]
        },
        { type: "button", sub_type: "url", index: "1", parameters: [{ type: "text", text: id }] }
      ]
      const id = expect.any(String)
      expect(vendor.taken[0]?.message).toMatchObject({
        template: {
          components: [
            { type: "body", parameters: [{ type: "text", text: "Ada" }] },
            {
              type: "carousel",
              cards: [
                { card_index: 0, components: components({ type: "image", image: { id } }, "3 €", "rye") },
                { card_index: 1, components: components({ type: "video", video: { id } }, "4 €", "spelt") }
              ]
            }
          ]
        }
      })
    })
  )

  it.scopedLive("names the products of a carousel", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const buttons = [{ type: "URL", text: "Buy", url: "https://shop.example/{{1}}" }]
      const card = {
        components: [
          { type: "HEADER", format: "PRODUCT" },
          { type: "BUTTONS", buttons }
        ]
      }
      const template = { name: "catalogue", language: "en" }
      vendor.templates.push({
        ...template,
        status: "APPROVED",
        category: "MARKETING",
        components: [
          { type: "BODY", text: "New" },
          { type: "CAROUSEL", cards: [card, card] }
        ]
      })
      const catalog = "194836987003835"
      const ids = ["rye", "spelt", "wheat"]
      const cards = ids.map((id) => ({
        product: { catalog, id },
        variables: [],
        names: null,
        buttons: [{ index: 0, type: "url" as const, value: id }]
      }))
      const message = aMessage({ template: { ...template, variables: [] }, content: { ...noValues, cards } })
      expect((yield* provider.send(account.connection, account.credentials, message, now))._tag).toBe("Accepted")
      expect(vendor.taken[0]?.message).toMatchObject({
        template: {
          components: [
            {
              type: "carousel",
              cards: ids.map((id, index) => ({
                card_index: index,
                components: [
                  {
                    type: "header",
                    parameters: [{ type: "product", product: { product_retailer_id: id, catalog_id: catalog } }]
                  },
                  { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: id }] }
                ]
              }))
            }
          ]
        }
      })
    })
  )

  it.scopedLive("uses the wait in Meta's usage header of the account", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const usage = {
        [business.businessAccountId]: [
          { type: "messaging", call_count: 100, estimated_time_to_regain_access: 2 },
          { type: "whatsapp", estimated_time_to_regain_access: 5 },
          { type: "ads_management", estimated_time_to_regain_access: 600 }
        ]
      }
      vendor.refuseNext({ code: 80007, headers: { "x-business-use-case-usage": JSON.stringify(usage) } })
      const outcome = yield* provider.send(account.connection, account.credentials, aMessage(), now)
      expect(outcome).toEqual({ _tag: "Throttled", retryAfterMs: 300_000, scope: "connection" })
      vendor.refuseNext({ code: 80007, headers: { "x-business-use-case-usage": "}", "retry-after": "soon" } })
      const unhinted = yield* provider.send(account.connection, account.credentials, aMessage(), now)
      expect(unhinted).toMatchObject({ _tag: "Throttled", retryAfterMs: null })
    })
  )

  it.scopedLive("reports Meta's error message without secrets", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      vendor.refuseNext({ code: 190, status: 401, message: `Malformed access token ${business.accessToken}` })
      const outcome = yield* provider.send(account.connection, account.credentials, aMessage(), now)
      expect(outcome).toMatchObject({ providerCode: "190", providerMessage: "Malformed access token …" })
    })
  )

  it.scopedLive("classifies responses of proxies by status", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const outcomes: Array<string> = []
      for (const status of [302, 400, 403, 429, 502]) {
        vendor.answerNext({ status, headers: { location: vendor.url }, body: "<html>" })
        const outcome = yield* provider.send(account.connection, account.credentials, aMessage(), now)
        outcomes.push(`${status} ${outcome._tag}`)
      }
      expect(outcomes).toEqual(["302 Transient", "400 Transient", "403 Transient", "429 Throttled", "502 Unknown"])
      expect(vendor.taken).toEqual([])
    })
  )

  it.scopedLive("reports Unknown if the response cannot be read", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      for (const body of ["<html>", "", { messages: [] }, { messages: [{ id: "" }] }]) {
        vendor.answerNext({ status: 200, body })
        expect((yield* provider.send(account.connection, account.credentials, aMessage(), now))._tag).toBe("Unknown")
      }
    })
  )

  it.scoped("reports Unknown after a timeout", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      vendor.ignoreNext()
      const sending = yield* Effect.fork(provider.send(account.connection, account.credentials, aMessage(), now))
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(sending)).toMatchObject({ _tag: "Unknown" })
    })
  )

  it.scoped("reports Transient if the file's bytes or the answer to its upload do not come, in the engine's time", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const file = { type: "image", contentType: "image/png", fileName: null, size: 3, url: null } as const
      const sending = (bytes: OutboundFile["bytes"]) =>
        Effect.fork(
          provider.send(account.connection, account.credentials, aMessage({ files: [{ ...file, bytes }] }), now)
        )
      const unread = yield* sending(Stream.never)
      yield* TestClock.adjust("60 seconds")
      expect(yield* Fiber.join(unread)).toMatchObject({ _tag: "Transient" })
      vendor.ignoreNext()
      const lost = yield* sending(Stream.make(new Uint8Array(3)))
      while (lost.unsafePoll() === null) {
        yield* TestServices.provideLive(Effect.sleep(1))
        yield* TestClock.adjust("60 seconds")
      }
      expect(yield* Fiber.join(lost)).toMatchObject({ _tag: "Transient" })
      expect((provider as ChannelProvider).sendTimeout).toBeGreaterThan(90_000)
    })
  )

  const video = { type: "video", contentType: "video/mp4", fileName: null, url: null } as const

  it.scopedLive("uploads a file while it is read, and names the length of the request", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const lengths: Array<readonly [named: number, received: number]> = []
      const server = createServer((request, response) => {
        let received = 0
        request.on("data", (chunk: Buffer) => {
          received += chunk.length
          Deferred.unsafeDone(arrived, Effect.void)
        })
        request.on("end", () => {
          lengths.push([Number(request.headers["content-length"]), received])
          response.setHeader("content-type", "application/json")
          response.end(JSON.stringify({ id: "1", messages: [{ id: "wamid.1" }] }))
        })
      })
      yield* Effect.acquireRelease(
        Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.sync(() => server.closeAllConnections())
      )
      const { account, provider } = yield* opened({
        graphUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      })
      // The second half is there only once the first has arrived.
      const half = new Uint8Array(100_000)
      const bytes = Stream.concat(Stream.make(half), Stream.fromEffect(Effect.as(Deferred.await(arrived), half)))
      const message = aMessage({ body: "", files: [{ ...video, size: 200_000, bytes }] })
      expect(yield* provider.send(account.connection, account.credentials, message, now)).toMatchObject({
        _tag: "Accepted"
      })
      expect(lengths[0]?.[0]).toBeGreaterThan(200_000)
      expect(lengths.map(([named, received]) => named === received)).toEqual([true, true])
    })
  )

  it.scopedLive("does not send a file that has more or fewer bytes than its size", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      for (const length of [2, 4]) {
        const files = [{ ...video, size: 3, bytes: Stream.make(new Uint8Array(length)) }]
        const outcome = yield* provider.send(account.connection, account.credentials, aMessage({ files }), now)
        expect(outcome._tag).toBe("Transient")
      }
      expect([...vendor.uploads, ...vendor.taken]).toEqual([])
    })
  )

  it("lets few messages with large files be sent at once, and any number without", () => {
    const { maxConcurrentSends } = whatsapp()
    const of = (...sizes: ReadonlyArray<number>) =>
      maxConcurrentSends?.(accountOf(business).connection, {
        attachments: sizes.map((size) => ({ ...video, id: "1", size }))
      })
    const megabyte = 1_048_576
    expect([of(), of(100_000), of(16 * megabyte), of(8 * megabyte, 8 * megabyte)]).toEqual([null, 671, 4, 4])
  })

  it.effect("sends nothing on a connection with incomplete settings", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { account, provider, vendor } = yield* opened()
        for (const credentials of [null, { access_token: "t" }]) {
          expect(yield* provider.send(account.connection, credentials, aMessage(), now)).toMatchObject({
            _tag: "Rejected",
            scope: "connection"
          })
        }
        expect(vendor.taken).toEqual([])
      })
    )
  )
})
